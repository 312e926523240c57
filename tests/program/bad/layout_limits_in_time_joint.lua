-- robot: ../../../robots/gen3.urdf
return {
  limits = { acceleration = { joint_1 = 5 }, period = 1e-3, joints = { "joint_2" } },
}
