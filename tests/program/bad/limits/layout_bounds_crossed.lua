-- robot: ../../../../robots/gen3.urdf
return {
  groups = { { name = "tool", frame = "tool_frame", bounds = { lin_z = { 5, -5 } } } },
}
--> layout_bounds_crossed.lua:3: error: the lower bound is above the upper
-->   remedy: write the smaller one first
