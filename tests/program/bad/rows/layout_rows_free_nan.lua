-- robot: ../../../../robots/gen3.urdf
return { groups = { { name = "tool", frame = "tool_frame", rows = 0 / 0 } } }
--> layout_rows_free_nan.lua:2: error: "groups[1].rows" is not finite
-->   remedy: write a finite number there
