-- robot: ../../../robots/gen3.urdf
return { wrenches = { { name = "push", kind = "physical" } } }
