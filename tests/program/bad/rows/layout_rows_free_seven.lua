-- robot: ../../../../robots/gen3.urdf
return { groups = { { name = "tool", frame = "tool_frame", rows = 7 } } }
--> layout_rows_free_seven.lua:2: error: group "tool" asks for 7 free directions
-->   remedy: write 1 to 6, or make a second group
