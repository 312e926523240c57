-- robot: ../../../robots/gen3.urdf
return {
  friction = { coulomb = { joint_1 = 2, joint_2 = 2 }, breakaway = { joint_1 = 3, joint_2 = 1.5 } },
}
