return move_compliantly {
  name = "cruise",
  motion_frame = { from = { 0.4, 0, 0.4 }, to = { 0.5, 0, 0.4 } },
  x = { force = 5, tolerance = 0.5, largest = 20, abag = { 0.9, 0.0004, 0.0005, 0.5, 0.003 } },
  y = { position = 0, tolerance = 0.01, largest = 20, abag = { 0.9, 0.0004, 0.0005, 0.5, 0.003 } },
  prediction = 1,
  stop_when = { goal_area = 0.01, time = 20 },
}
