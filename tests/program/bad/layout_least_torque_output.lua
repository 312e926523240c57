-- robot: ../../../robots/gen3.urdf
return {
  friction = { joint_1 = 2 },
  least_torque = true,
  outputs = { "qdd", "nu" },
}
