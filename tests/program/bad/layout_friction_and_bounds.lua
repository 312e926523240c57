-- robot: ../../../robots/gen3.urdf
return {
  groups = { { name = "pad", frame = "tool_frame", rows = { "lin_x" }, friction = 0.5, bounds = "input" } },
}
