-- robot: ../../../robots/gen3.urdf
return {
  groups = {
    { name = "foot", frame = "tool_frame", rows = { "lin_x", "lin_y" },
      contact = { normal = "lin_z", friction = 0.6 } },
  },
}
