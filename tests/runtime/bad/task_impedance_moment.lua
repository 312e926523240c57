return move_compliantly {
  name = "reach",
  motion_frame = { p = { 0.4, 0, 0.4 } },
  rx = { moment = 0, tolerance = 0.1, largest = 20, impedance = { damping = 4 } },
  prediction = 1,
  stop_when = { time = 9 },
}
