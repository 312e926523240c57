-- robot: ../../../robots/gen3.urdf
return {
  wrenches = {
    { name = "push", frame = "tool_frame", kind = "physical" },
    {
      name = "push",
      frame = "forearm_link", kind = "artificial" },
  },
}
