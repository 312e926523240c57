-- robot: ../../../robots/gen3.urdf
return {
  friction = { coulomb = { joint_9 = 2 } },
}
