-- robot: ../../../robots/gen3.urdf
return {
  groups = {
    { name = "elbow",
      joint = "joint_4",
      frame = "forearm_link" },
  },
}
