-- The tool of a planar five-bar by its two motors; start says which way the elbows bend.
return {
  linkages = {
    {
      name = "bars", independent = { "left_motor", "right_motor" },
      ties = { { frame = "tool", to = "right_tip", rows = { "lin_x", "lin_z" } } },
      start = { left_elbow = 0.365, right_elbow = -0.365 },
    },
  },
  groups = { { name = "tool", frame = "tool", rows = { "lin_x", "lin_z" } } },
}
