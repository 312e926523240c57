-- robot: ../../../../robots/gen3.urdf
return {
  least_torque = true,
  groups = { { name = "tool", frame = "tool_frame", rows = { "lin_x" } } },
}
--> layout_least_torque_alone.lua:3: error: "least_torque" is for bounded rows: without them only one torque causes the motion
-->   remedy: leave it out
