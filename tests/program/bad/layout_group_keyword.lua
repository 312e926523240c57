-- robot: ../../../robots/gen3.urdf
return { groups = { { name = "while", frame = "tool_frame" } } }
