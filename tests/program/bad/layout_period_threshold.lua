-- robot: ../../../robots/gen3.urdf
return {
  friction = {
    coulomb = { joint_1 = 2 },
    threshold = 1e-3,
    period = 1e-3,
  },
}
