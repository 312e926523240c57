-- robot: ../../../robots/gen3.urdf
return {
  groups = {
    { name = "elbow",
      joints = { "joint_4", "joint_4" } },
  },
}
