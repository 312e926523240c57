-- robot: ../../../../robots/gen3.urdf
return {
  groups = {
    { name = "tool", frame = "tool_frame", rows = {
      "lin_x",
      "lin_a",
    } },
  },
}
--> layout_rows_unknown.lua:6: error: unknown row "lin_a"
-->   remedy: did you mean "lin_x", "lin_y" or "lin_z"?
