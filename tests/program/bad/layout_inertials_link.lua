-- robot: ../../../robots/arm1dof.urdf
return { inertials = { lnk1 = { mass = 1 } } }
