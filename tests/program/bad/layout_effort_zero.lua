-- robot: ../../../robots/gen3.urdf
return { effort = { joint_3 = -1, joint_1 = 0, joint_2 = 0 } }
