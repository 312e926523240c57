return move_compliantly {
  name = "reach",
  motion_frame = { p = { 0.4, 0, 0.4 } },
  x = { position = 0, tolerance = 0.01, largest = 20, pid = { proportional = 4, derivative = 4 } },
  prediction = { time = 0.4, acceleration = true },
  stop_when = { time = 9 },
}
