-- robot: ../../../robots/gen3.urdf
return {
  groups = {
    { name = "elbow", frame = "forearm_link", rows = { "lin_x" } },
    { name = "tool",
      frame = "tool_frmae" },
  },
}
