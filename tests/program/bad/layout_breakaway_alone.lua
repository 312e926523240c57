-- robot: ../../../robots/gen3.urdf
return {
  friction = { viscous = { joint_1 = 2 }, breakaway = { joint_1 = 3 } },
}
