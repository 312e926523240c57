return move_compliantly {
  name = "reach",
  motion_frame = { p = { 0.4, 0, 0.4 } },
  y = { force = 5, tolerance = 0.5, largest = 20, cascade = { velocity = 1 } },
  prediction = 1,
  stop_when = { time = 9 },
}
