-- robot: ../../../../robots/four_bar.urdf
return {
  groups = {
    { name = "pin", frame = "rocker", to = "rocker_pin", rows = { "lin_x" } },
  },
}
--> layout_tie_one_body.lua:4: error: tie "pin" is between "rocker" and "rocker_pin", which are rigidly connected
-->   remedy: tie links with a moving joint between them
