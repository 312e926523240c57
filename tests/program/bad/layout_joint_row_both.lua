-- robot: ../../../robots/gen3.urdf
return {
  groups = {
    { name = "elbow", joint = "joint_4",
      joints = { "joint_5" } },
  },
}
