return move_compliantly {
  name = "press",
  motion_frame = { p = { 0.4, 0, 0.4 } },
  rx = { force_direction = true, tolerance = 0.05, largest = 3, smooth = true },
  y = { position = 0, tolerance = 0.01, largest = 20, smooth = true },
  prediction = 1,
  stop_when = { time = 9 },
}
