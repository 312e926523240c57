-- robot: ../../../robots/gen3.urdf
return {
  realise = "optimum",
  least_torque = true,
  groups = { { name = "tool", frame = "tool_frame", rows = { "lin_x" } } },
}
