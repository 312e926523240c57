-- robot: ../../../robots/quadruped.urdf
return {
  base = "floating",
  realise = "optimum",
  wrenches = { { name = "push", frame = "trunk", kind = "artificial" } },
  groups = { { name = "fl", frame = "fl_foot" } },
}
