-- robot: ../../../../robots/quadruped.urdf
return {
  base = "floating",
  realise = "optimum",
  groups = {
    { name = "toe", frame = "fl_foot", contact = { normal = "lin_z", friction = 0.6 } },
    { name = "heel", frame = "fl_calf", contact = { normal = "lin_z", friction = 0.6 } },
  },
}
--> layout_optimum_two_points.lua:7: error: contacts "toe" and "heel" are of one rigid body, whose forces at several points its motion does not tell apart
-->   remedy: make them one group with contact = { points = { ... } }
