-- robot: ../../../robots/gen3.urdf
return {
  groups = {
    { name = "tool", frame = "tool_frame" },
    { name = "elbow", frame = "forearm_link" },
    { name = "shoulder", frame = "shoulder_link", rows = 1 },
  },
  singularity = "truncate",
}
