-- robot: ../../../robots/gen3.urdf
return {
  payload = {
    { frame = "tool_frame", mass = 2 },
    { frame = "forearm_link", mass = 1 },
  },
}
