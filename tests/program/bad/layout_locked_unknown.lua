-- robot: ../../../robots/gen3.urdf
return {
  locked = {
    joint_1 = 0,
    joint_8 = 0,
  },
}
