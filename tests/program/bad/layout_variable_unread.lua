-- robot: ../../../robots/gen3.urdf
passive = { "joint_7" }
return { armature = { joint_7 = 0.1 } }
