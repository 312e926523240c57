-- robot: ../../../robots/gen3.urdf
return { wrenches = { { name = "push", frame = "tool_frame", kind = "real" } } }
