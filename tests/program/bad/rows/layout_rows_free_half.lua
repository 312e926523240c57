-- robot: ../../../../robots/gen3.urdf
return { groups = { { name = "tool", frame = "tool_frame", rows = 1.5 } } }
--> layout_rows_free_half.lua:2: error: group "tool" asks for 1.5 free directions
-->   remedy: write 1 to 6, or make a second group
