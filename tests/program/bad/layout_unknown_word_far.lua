-- robot: ../../../robots/gen3.urdf
return { colour = "red" }
