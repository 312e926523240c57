-- robot: ../../../../robots/gen3.urdf
return { groups = { { name = "tool", frame = "tool_frame", rows = "lin_x" } } }
--> layout_rows_text.lua:2: error: "groups[1].rows" is text, not a list of rows, or a number of free directions
-->   remedy: write a list of rows, or a number of free directions there
