-- robot: ../../../../robots/gen3.urdf
local groups = {}
for k = 1, 34 do groups[k] = { name = "g" .. k, frame = "tool_frame" } end
return {
  groups = groups,
}
--> layout_rows_many.lua:5: error: 204 rows are too many for straight-line code
-->   remedy: ask for 200 at most
