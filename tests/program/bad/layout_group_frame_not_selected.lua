-- robot: ../../../robots/gen3.urdf
return { tips = { "forearm_link" }, groups = { { name = "tool", frame = "tool_frame" } } }
