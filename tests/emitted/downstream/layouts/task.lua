return {
  { name = "tip", frame = "tip", axes = "link", rows = { "lin_x" } },
}
