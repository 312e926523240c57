-- robot: ../../../../robots/gen3.urdf
return { groups = { { frame = "tool_frame" } } }
--> layout_group_no_name.lua:2: error: group 1 has no name
-->   remedy: give it one: name = "tool"
