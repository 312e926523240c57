-- robot: ../../../robots/gen3.urdf
return {
  root = "forearm_link",
  tips = { "tool_frame",
           "shoulder_link" },
}
