-- gen3 with friction in its seven joints and six task rows, for the benchmark of bounded rows.
return {
  name = "bounded",
  friction = "input",
  torques = { artificial = true },
  groups = { { name = "tool", frame = "tool_frame" } },
}
