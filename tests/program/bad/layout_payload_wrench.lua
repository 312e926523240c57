-- robot: ../../../robots/gen3.urdf
return {
  payload = { frame = "tool_frame", mass = 2 },
  wrenches = {
    { name = "payload", frame = "tool_frame", kind = "physical" },
  },
}
