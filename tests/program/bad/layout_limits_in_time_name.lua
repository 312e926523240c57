-- robot: ../../../robots/gen3.urdf
return {
  limits = { acceleration = 5, period = 1e-3 },
  groups = { { name = "limits_upper", frame = "tool_frame" } },
}
