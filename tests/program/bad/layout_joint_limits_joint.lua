-- robot: ../../../robots/arm1dof.urdf
return { joint_limits = { joint9 = { lower = -1 } } }
