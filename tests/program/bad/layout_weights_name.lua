-- robot: ../../../robots/gen3.urdf
return {
  wrenches = { { name = "weight", frame = "tool_frame", kind = "physical" } },
  groups = { { name = "tool", frame = "tool_frame", weights = "input" } },
}
