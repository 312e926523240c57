-- robot: ../../../robots/gen3.urdf
return { groups = { { frame = "tool_frame" } } }
