-- robot: ../../../robots/gen3.urdf
return { outputs = { "qdd", poses = { "tool_frame" } } }
