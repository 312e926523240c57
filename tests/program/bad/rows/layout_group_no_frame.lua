-- robot: ../../../../robots/gen3.urdf
return { groups = { { name = "tool" } } }
--> layout_group_no_frame.lua:2: error: group "tool" has no frame
-->   remedy: name a link: frame = "tool_frame"
