return move_compliantly {
  name = "press",
  motion_frame = { p = { 0.4, 0, 0.4 } },
  z = { force = 5, tolerance = 0.25, largest = 60, smooth = { damping = -1 } },
  y = { position = 0, tolerance = 0.01, largest = 20, smooth = true },
  prediction = 1,
  stop_when = { time = 9 },
}
