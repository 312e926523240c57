-- robot: ../../../robots/gen3.urdf
return {
  saturate = "clamp",
  groups = { { name = "tool", frame = "tool_frame" } },
  outputs = { "tau_ctrl", "scale" },
}
