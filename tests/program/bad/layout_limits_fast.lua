-- robot: ../../../robots/gen3.urdf
return {
  limits = { acceleration = { joint_1 = 5 }, velocity = { joint_2 = 1 }, period = 1e-3 },
}
