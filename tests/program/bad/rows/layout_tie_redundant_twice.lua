-- robot: ../../../../robots/four_bar.urdf
return {
  groups = {
    { name = "pin", frame = "rocker_pin", to = "coupler_pin", rows = { "lin_x", "lin_z" } },
    { name = "again", frame = "rocker_pin", to = "coupler_pin", rows = { "lin_z" } },
  },
}
--> layout_tie_redundant_twice.lua:5: error: row "lin_z" of tie "again" is redundant: it follows from the rows before it
-->   remedy: leave the row out
