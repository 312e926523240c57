-- robot: ../../../../robots/gen3.urdf
return {
  groups = {
    { name = "elbow",
      joints = { "joint_4", "joint_4" } },
  },
}
--> layout_joint_row_twice.lua:5: error: "joint_4" is listed twice in "groups[1].joints"
-->   remedy: leave one out
