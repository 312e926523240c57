-- robot: ../../../../robots/gen3.urdf
return {
  groups = { { name = "tool", frame = "tool_frame", bounds = { math.huge, math.huge } } },
}
--> layout_bounds_none_within.lua:3: error: no force is within these bounds
-->   remedy: write { 0, math.huge } for a force along the row only
