-- robot: ../../../robots/gen3.urdf
return { tips = { "tool_frame", "tool_frame" } }
