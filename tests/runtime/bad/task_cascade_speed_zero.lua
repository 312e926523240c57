return move_compliantly {
  name = "reach",
  motion_frame = { p = { 0.4, 0, 0.4 } },
  y = { position = 0, tolerance = 0.01, largest = 20, cascade = { position = 4, velocity = 20, speed = 0 } },
  prediction = 1,
  stop_when = { time = 9 },
}
