return move_compliantly {
  name = "press",
  motion_frame = { p = { 0.4, 0, 0.4 } },
  z = { position = 0, tolerance = 0.01, largest = 20, smooth = { speed = 0.1 } },
  y = { position = 0, tolerance = 0.01, largest = 20, smooth = true },
  prediction = 1,
  stop_when = { time = 9 },
}
