-- robot: ../../../robots/gen3.urdf
return { outputs = { twist = { "tool_frame", "tool_frame" } } }
