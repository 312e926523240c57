-- robot: ../../../robots/gen3.urdf
return {
  tips = { "forearm_link" },
  groups = {},
  payload = { frame = "tool_frame", mass = 2 },
}
