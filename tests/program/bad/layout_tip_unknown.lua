-- robot: ../../../robots/gen3.urdf
return { tips = { "tool_frame", "hand" } }
