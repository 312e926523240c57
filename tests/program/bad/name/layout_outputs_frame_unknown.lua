-- robot: ../../../../robots/gen3.urdf
return {
  outputs = { "qdd",
    pose = { "tool_frame",
             "toolframe" } },
}
--> layout_outputs_frame_unknown.lua:5: error: the robot has no link "toolframe"
-->   remedy: did you mean "tool_frame"?
