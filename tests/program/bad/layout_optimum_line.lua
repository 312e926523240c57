-- robot: ../../../robots/quadruped.urdf
return {
  base = "floating",
  realise = "optimum",
  groups = {
    {
      name = "fl", frame = "fl_foot", axes = "link",
      contact = { normal = "lin_z", friction = 0.6, points = { { 0, 0, 0 }, { 0.1, 0, 0 }, { 0.2, 0, 0 } } },
    },
  },
}
