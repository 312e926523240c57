-- robot: ../../../../robots/gen3.urdf
return {
  groups = {
    { name = "tool", frame = "tool_frame",
      rows = { "lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z", "lin_x" } },
  },
}
--> layout_rows_seven.lua:5: error: group "tool" has 7 rows
-->   remedy: at most 6 per group: make a second group
