-- robot: ../../../../robots/gen3.urdf
return {
  realise = "optimum",
  least_torque = true,
  groups = { { name = "tool", frame = "tool_frame", rows = { "lin_x" } } },
}
--> layout_least_torque_optimum.lua:4: error: "least_torque" cannot be used with realise = "optimum", whose torques are unique: friction holds what it can
-->   remedy: leave it out
