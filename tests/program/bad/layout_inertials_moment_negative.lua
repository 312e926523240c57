-- robot: ../../../robots/arm1dof.urdf
return { inertials = { link1 = { mass = 1, inertia = { xx = 1, yy = 1, zz = -0.5 } } } }
