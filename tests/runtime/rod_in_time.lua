-- The same, stopped in time.
return {
  name = "rod_in_time",
  gravity = { 0, 0, 0 },
  torques = { physical = true, artificial = true },
  joint_limits = { joint1 = { lower = -1, upper = 1.5, effort = 4 } },
  limits = { acceleration = 20, period = 1e-3, effort = true },
  groups = {},
}
