-- robot: ../../../../robots/gen3.urdf
return {
  groups = {
    { name = "tool", frame = "tool_frame", rows = { "lin_x" } },
    { name = "Tool", frame = "tool_frame", rows = { "lin_y" } },
  },
}
--> layout_group_twice.lua:5: error: two groups are named "Tool"
-->   remedy: give each its own name
