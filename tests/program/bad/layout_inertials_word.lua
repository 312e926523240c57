-- robot: ../../../robots/arm1dof.urdf
return { inertials = { link1 = { weight = 1 } } }
