-- robot: ../../../robots/gen3.urdf
return { wrenches = { { name = "gravity", frame = "tool_frame", kind = "physical" } } }
