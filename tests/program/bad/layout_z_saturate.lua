-- robot: ../../../robots/gen3.urdf
return {
  saturate = true,
  groups = { { name = "tool", frame = "tool_frame" } },
  outputs = { "qdd", "Z" },
}
