-- robot: ../../../../robots/four_bar.urdf
return {
  groups = {
    { name = "pin", frame = "rocker_pin", to = "coupler_pin",
      rows = { "lin_x", "lin_y", "lin_z" } },
  },
}
--> layout_tie_redundant.lua:5: error: row "lin_y" of tie "pin" is redundant: no joint moves "coupler_pin" relative to "rocker_pin" along it
-->   remedy: leave the row out
