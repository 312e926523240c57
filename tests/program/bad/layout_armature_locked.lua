-- robot: ../../../robots/gen3.urdf
return { locked = { joint_1 = 0 }, armature = { joint_1 = 0.5 } }
