-- robot: ../../../../robots/quadruped.urdf
return {
  base = "floating",
  realise = "optimum",
  groups = { { name = "fl", frame = "fl_foot", rows = { "lin_z" }, kind = "physical", bounds = { 0, math.huge } } },
}
--> layout_optimum_bounds.lua:5: error: group "fl" has bounds, which realise = "optimum" does not know
-->   remedy: say what pushes by contact = { normal = "lin_z", friction = 0.6 }, or leave bounds out
