-- robot: ../../../robots/arm1dof.urdf
return { joint_limits = { joint1 = { low = -1 } } }
