-- robot: ../../../robots/gen3.urdf
return {
  groups = {
    { name = "tool", frame = "tool_frame",
      rows = { "lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z", "lin_x" } },
  },
}
