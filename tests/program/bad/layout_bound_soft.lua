-- robot: ../../../robots/gen3.urdf
return { groups = { { name = "tool", frame = "tool_frame", compliance = 0.1 } }, outputs = { "qdd", "bound" } }
