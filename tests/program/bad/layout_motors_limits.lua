-- robot: ../../../robots/quadruped.urdf
return {
  base = "floating",
  realise = "motors",
  limits = { kind = "physical" },
  groups = { { name = "trunk", frame = "trunk" } },
}
