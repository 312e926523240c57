-- robot: ../../../../robots/gen3.urdf
return { groups = { { name = "tool", frame = "tool_frame", rows = { "lin_x", "ang_x", "lin_x" } } } }
--> layout_rows_twice.lua:2: error: row "lin_x" is listed twice in group "tool"
-->   remedy: leave one out
