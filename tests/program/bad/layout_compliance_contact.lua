-- robot: ../../../robots/quadruped.urdf
return {
  base = "floating",
  realise = "motors",
  groups = {
    { name = "foot", frame = "fl_foot", rows = { "lin_z" }, kind = "physical", compliance = 0.01 },
  },
}
