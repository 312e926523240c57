-- robot: ../../../../robots/gen3.urdf
return { groups = { { name = "tool", frame = "tool_frame", maskable = 1 } } }
--> layout_group_maskable.lua:2: error: "groups[1].maskable" is a number, not true or false
-->   remedy: write true or false there
