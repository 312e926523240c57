-- robot: ../../../robots/gen3.urdf
return {
  groups = {
    { name = "elbow", joint = "joint_4",
      bounds = { joint_5 = { -1, 1 } } },
  },
}
