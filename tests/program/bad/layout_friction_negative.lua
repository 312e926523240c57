-- robot: ../../../robots/gen3.urdf
return {
  friction = { joint_1 = -2 },
}
