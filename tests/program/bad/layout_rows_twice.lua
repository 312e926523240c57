-- robot: ../../../robots/gen3.urdf
return { groups = { { name = "tool", frame = "tool_frame", rows = { "lin_x", "ang_x", "lin_x" } } } }
