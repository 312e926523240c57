-- robot: ../../../robots/quadruped.urdf
return {
  base = "floating",
  realise = "optimum",
  groups = { { name = "fl", frame = "fl_foot", contact = { normal = "lin_z", friction = 0.6, sides = 2 } } },
}
