-- robot: ../../../robots/gen3.urdf
return { wrenches = { { name = "M_PI", frame = "tool_frame", kind = "physical" } } }
