-- robot: ../../../robots/gen3.urdf
return {
  groups = {
    { name = "foot", frame = "tool_frame", rows = 3,
      contact = { normal = "lin_z", friction = 0.6 } },
  },
}
