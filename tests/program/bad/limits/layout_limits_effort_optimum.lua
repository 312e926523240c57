-- robot: ../../../../robots/gen3.urdf
return {
  realise = "optimum",
  groups = { { name = "tool", frame = "tool_frame" } },
  limits = { effort = true },
}
--> layout_limits_effort_optimum.lua:5: error: the torques of realise = "optimum" are within the effort limits, all of them together
-->   remedy: leave it out
