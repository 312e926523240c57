-- robot: ../../../robots/gen3.urdf
return {
  payload = { frame = "tool_frame", mass = 2,
    name = "gravity",
  },
}
