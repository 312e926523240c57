-- robot: ../../../robots/gen3.urdf
return { name = "7dof" }
