-- robot: ../../../../robots/gen3.urdf
return {
  limits = { acceleration = 5, period = 1e-3 },
  groups = { { name = "limits_upper", frame = "tool_frame" } },
}
--> layout_limits_in_time_name.lua:4: error: a group cannot be named "limits_upper" beside limits of joints
-->   remedy: choose another name
