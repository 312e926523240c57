-- robot: ../../../../robots/four_bar.urdf
return {
  groups = { { name = "pin", frame = "rocker_pin", to = "coupler_pin", rows = { "lin_x", "lin_z" } } },
  step = { loops = { "pim" } },
}
--> layout_step_loops.lua:4: error: no group is named "pim"
-->   remedy: did you mean "pin"?
