-- A tool whose acceleration along three axes is to stay within a range, with the least deviation from the free motion.
return {
  name = "gen3_range",
  realise = "optimum",
  gravity = { 0, 0, 0 },
  groups = { { name = "tool", frame = "tool_frame", rows = { "lin_x", "lin_y", "ang_z" }, maskable = true,
    upper = "input" } },
  outputs = { "qdd", "tau_ctrl", acc = { "tool_frame" } },
}
