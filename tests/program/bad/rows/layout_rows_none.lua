-- robot: ../../../../robots/gen3.urdf
return { groups = { { name = "tool", frame = "tool_frame", rows = {} } } }
--> layout_rows_none.lua:2: error: group "tool" has no rows
-->   remedy: name some, or leave the group out
