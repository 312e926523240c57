-- robot: ../../../robots/quadruped.urdf
return {
  base = "floating",
  realise = "optimum",
  groups = {
    { name = "toe", frame = "fl_foot", contact = { normal = "lin_z", friction = 0.6 } },
    { name = "heel", frame = "fl_calf", contact = { normal = "lin_z", friction = 0.6 } },
  },
}
