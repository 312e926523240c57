-- robot: ../../../../robots/gen3.urdf
return {
  groups = {
    { name = "elbow", joint = "joint_4",
      joints = { "joint_5" } },
  },
}
--> layout_joint_row_both.lua:5: error: group "elbow" has joint and joints
-->   remedy: put all into joints
