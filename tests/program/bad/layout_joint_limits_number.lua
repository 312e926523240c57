-- robot: ../../../robots/arm1dof.urdf
return { joint_limits = { 1 } }
