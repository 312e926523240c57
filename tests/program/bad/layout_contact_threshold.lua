-- robot: ../../../robots/gen3.urdf
return {
  groups = {
    { name = "foot", frame = "tool_frame", contact = { normal = "lin_z", friction = 0.6 },
      threshold = 0.01 },
  },
}
