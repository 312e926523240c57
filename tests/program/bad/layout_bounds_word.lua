-- robot: ../../../robots/gen3.urdf
return {
  groups = { { name = "tool", frame = "tool_frame", bounds = { lin_w = { 0, 5 } } } },
}
