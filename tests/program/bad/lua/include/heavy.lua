return {
  groups = { { name = "tool", frame = "tool_frame" } },
  gravity = { 0, 0, -981 },
}
