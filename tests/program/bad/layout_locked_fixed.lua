-- robot: ../../../robots/arm1dof.urdf
return { locked = { tip_joint = 0 } }
