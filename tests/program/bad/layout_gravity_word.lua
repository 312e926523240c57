-- robot: ../../../robots/gen3.urdf
return { gravity = "down" }
