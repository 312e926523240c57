-- robot: ../../../../robots/quadruped.urdf
return {
  base = "floating",
  realise = "optimum",
  groups = { { name = "fl", frame = "fl_foot", contact = { normal = "lin_z", friction = 0.6, sides = 2 } } },
}
--> layout_optimum_sides.lua:5: error: the number of sides of a cone is 2
-->   remedy: write a whole number, 3 to 16
