-- robot: ../../../robots/gen3.urdf
return {
  wrenches = { { name = "compliance", frame = "tool_frame", kind = "physical" } },
}
