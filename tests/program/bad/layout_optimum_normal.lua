-- robot: ../../../robots/quadruped.urdf
return {
  base = "floating",
  realise = "optimum",
  groups = { { name = "fl", frame = "fl_foot", contact = { friction = 0.6 } } },
}
