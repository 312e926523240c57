-- robot: ../../../robots/gen3.urdf
return { wrenches = { "push" } }
