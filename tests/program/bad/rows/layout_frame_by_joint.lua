-- robot: ../../../../robots/gen3.urdf
return {
  groups = {
    { name = "tool", rows = { "lin_x" },
      frame = "end_effector" },
  },
}
--> layout_frame_by_joint.lua:5: error: "end_effector" is a joint, not a link
-->   remedy: write "end_effector_link", the link that it carries
