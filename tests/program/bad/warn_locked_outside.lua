-- robot: ../../../robots/gen3.urdf
return { locked = { joint_4 = -130 }, groups = {} }
