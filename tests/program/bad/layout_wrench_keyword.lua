-- robot: ../../../robots/gen3.urdf
return { wrenches = { { name = "register", frame = "tool_frame", kind = "physical" } } }
