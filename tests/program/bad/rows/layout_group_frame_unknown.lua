-- robot: ../../../../robots/gen3.urdf
return {
  groups = {
    { name = "elbow", frame = "forearm_link", rows = { "lin_x" } },
    { name = "tool",
      frame = "tool_frmae" },
  },
}
--> layout_group_frame_unknown.lua:6: error: the robot has no link "tool_frmae"
-->   remedy: did you mean "tool_frame"?
