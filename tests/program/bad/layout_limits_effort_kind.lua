-- robot: ../../../robots/gen3.urdf
return {
  groups = {},
  limits = { kind = "physical", effort = true },
}
