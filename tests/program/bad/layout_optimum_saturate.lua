-- robot: ../../../robots/quadruped.urdf
return {
  base = "floating",
  realise = "optimum",
  saturate = true,
  groups = { { name = "fl", frame = "fl_foot" } },
}
