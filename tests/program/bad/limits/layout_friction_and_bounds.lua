-- robot: ../../../../robots/gen3.urdf
return {
  groups = { { name = "pad", frame = "tool_frame", rows = { "lin_x" }, friction = 0.5, bounds = "input" } },
}
--> layout_friction_and_bounds.lua:3: error: group "pad" has bounds and friction
-->   remedy: leave one out: friction gives the bounds
