-- robot: ../../../../robots/gen3.urdf
return {
  groups = { { name = "tool", frame = "tool_frame", bounds = { 20 } } },
}
--> layout_bounds_one.lua:3: error: bounds are two numbers { lo, hi }, or "input"
-->   remedy: write { -20, 20 }, or { 0, math.huge }
