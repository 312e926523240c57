-- robot: ../../../robots/gen3.urdf
return { passive = { "joint_1", "joint_2", "joint_1" } }
