-- robot: ../../../robots/arm1dof.urdf
return { inertials = { link1 = { mass = 1, inertia = { 1, 0, 0, 1, 0 } } } }
