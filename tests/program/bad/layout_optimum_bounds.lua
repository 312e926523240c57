-- robot: ../../../robots/quadruped.urdf
return {
  base = "floating",
  realise = "optimum",
  groups = { { name = "fl", frame = "fl_foot", rows = { "lin_z" }, kind = "physical", bounds = { 0, math.huge } } },
}
