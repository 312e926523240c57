return {
  groups = { { name = "tool" frame = "tool_frame" } },
}
