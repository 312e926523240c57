return move_compliantly {
  name = "reach",
  motion_frame = { p = { 0.4, 0, 0.4 } },
  x = { acceleration = 0.1 },
  prediction = 1,
  stop_when = { goal_area = 0.1 },
}
