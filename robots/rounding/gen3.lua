-- Kinova Gen3 whose solve tells how far rounding can have moved the answer (docs/layouts.md, "How good is an answer?").
return {
  name = "gen3_rounding",
  groups = { { name = "tool", frame = "tool_frame" } },
  outputs = { "qdd", "nu", "tau_ctrl", "bound" },
}
