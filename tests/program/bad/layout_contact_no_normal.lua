-- robot: ../../../robots/gen3.urdf
return {
  groups = {
    { name = "foot", frame = "tool_frame",
      contact = { friction = 0.6 } },
  },
}
