-- robot: ../../../robots/gen3.urdf
return {
  groups = {
    { name = "tool", frame = "tool_frame", rows = { "lin_x", "lin_z" }, compliance = { lin_z = -0.1 } },
  },
}
