-- robot: ../../../../robots/gen3.urdf
return {
  outputs = { "qdd", pose = { "tool_frame", "joint_7" } },
}
--> layout_pose_by_joint.lua:3: error: "joint_7" is a joint, not a link
-->   remedy: write "bracelet_link", the link that it carries
