return {
  task = {
    groups = {
      { name = "tool", frame = "tool_frame",
        rows = { "lin_x", "lin_w" } },
    },
  },
}
