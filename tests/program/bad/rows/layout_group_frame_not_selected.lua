-- robot: ../../../../robots/gen3.urdf
return { tips = { "forearm_link" }, groups = { { name = "tool", frame = "tool_frame" } } }
--> layout_group_frame_not_selected.lua:2: error: link "tool_frame" is not in the part of the robot that root and tips select
-->   remedy: select it, or name another
