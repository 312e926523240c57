-- robot: ../../../robots/gen3.urdf
return {
  armature = { joint_1 = 0.5,
               joint_2 = 1e160 },
}
