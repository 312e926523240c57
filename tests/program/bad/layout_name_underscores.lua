-- robot: ../../../robots/gen3.urdf
return { name = "__gen3" }
