-- A rod with a feed-forward torque that its limits stop, as far as a motor of 4 N m can.
return {
  name = "rod_stopped",
  gravity = { 0, 0, 0 },
  torques = { physical = true, artificial = true },
  joint_limits = { joint1 = { lower = -1, upper = 1.5, effort = 4 } },
  limits = { margin = 0.2, effort = true },
  groups = {},
}
