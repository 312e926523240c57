-- robot: ../../../robots/gen3.urdf
return {
  friction = { coulomb = { joint_1 = 2 }, breakaway = "urdf" },
}
