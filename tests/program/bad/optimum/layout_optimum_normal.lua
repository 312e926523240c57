-- robot: ../../../../robots/quadruped.urdf
return {
  base = "floating",
  realise = "optimum",
  groups = { { name = "fl", frame = "fl_foot", contact = { friction = 0.6 } } },
}
--> layout_optimum_normal.lua:5: error: the contact of group "fl" has no normal
-->   remedy: name the row along which the surface pushes: normal = "lin_z"
