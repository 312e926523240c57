-- robot: ../../../robots/gen3.urdf
return {
  gravity = { 0, 0, -9.81 }
  groups = { { name = "tool", frame = "tool_frame" } },
}
