-- robot: ../../../robots/arm1dof.urdf
return { inertials = { link1 = { mass = -1 } } }
