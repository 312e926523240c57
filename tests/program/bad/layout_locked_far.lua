-- robot: ../../../robots/gen3.urdf
return { locked = { joint_2 = 1e6 } }
