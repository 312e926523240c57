-- robot: ../../../robots/gen3.urdf
return {
  groups = {
    {
      name = "joint",
      frame = "tool_frame", rows = 2,
    },
  },
}
