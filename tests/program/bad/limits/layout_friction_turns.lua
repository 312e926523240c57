-- robot: ../../../../robots/gen3.urdf
return {
  groups = { { name = "pad", frame = "tool_frame", rows = { "ang_x" }, friction = 0.5 } },
}
--> layout_friction_turns.lua:3: error: row "ang_x" of group "pad" is angular: friction acts along linear rows
-->   remedy: friction is for the linear rows along the surface
