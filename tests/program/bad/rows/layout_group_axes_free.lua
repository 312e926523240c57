-- robot: ../../../../robots/gen3.urdf
return { groups = { { name = "tool", frame = "tool_frame", axes = "link", rows = 2 } } }
--> layout_group_axes_free.lua:2: error: group "tool" has free directions, which are given along the axes of the base
-->   remedy: leave axes out
