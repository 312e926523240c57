-- robot: ../../../robots/gen3.urdf
return {
  groups = { { name = "pad", frame = "tool_frame", rows = { "ang_x" }, friction = 0.5 } },
}
