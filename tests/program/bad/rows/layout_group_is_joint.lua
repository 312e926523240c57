-- robot: ../../../../robots/gen3.urdf
return {
  groups = {
    {
      name = "joint",
      frame = "tool_frame", rows = 2,
    },
  },
}
--> layout_group_is_joint.lua:5: error: row "1" of group "joint" and joint "joint_1" both become JOINT_1
-->   remedy: give the group another name
