-- robot: ../../../robots/arm1dof.urdf
return { base = "floating" }
