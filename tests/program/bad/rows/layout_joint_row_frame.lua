-- robot: ../../../../robots/gen3.urdf
return {
  groups = {
    { name = "elbow",
      joint = "joint_4",
      frame = "forearm_link" },
  },
}
--> layout_joint_row_frame.lua:6: error: "frame" does not go with rows on joints, which group "elbow" has
-->   remedy: leave it out: the rows are along the joints' axes, or make a second group
