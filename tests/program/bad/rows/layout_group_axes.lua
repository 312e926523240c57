-- robot: ../../../../robots/gen3.urdf
return { groups = { { name = "tool", frame = "tool_frame", axes = "tool" } } }
--> layout_group_axes.lua:2: error: "groups[1].axes" is "tool"
-->   remedy: write "base" or "link" or "input"
