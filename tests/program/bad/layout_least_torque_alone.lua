-- robot: ../../../robots/gen3.urdf
return {
  least_torque = true,
  groups = { { name = "tool", frame = "tool_frame", rows = { "lin_x" } } },
}
