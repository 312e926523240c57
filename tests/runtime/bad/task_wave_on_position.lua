return move_compliantly {
  name = "cruise",
  motion_frame = { p = { 0.4, 0, 0.4 } },
  x = { velocity = 0.05, tolerance = 0.005, largest = 20, abag = { 0.9, 0.0004, 0.0005, 0.5, 0.003 } },
  y = { position = 0, wave = { amplitude = 1, number = 1 }, tolerance = 0.01, largest = 20,
    abag = { 0.9, 0.0004, 0.0005, 0.5, 0.003 } },
  prediction = 2.5,
  stop_when = { goal_area = 0.03, time = 9 },
}
