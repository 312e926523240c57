-- robot: ../../../robots/arm1dof.urdf
return { name = "arm" }
