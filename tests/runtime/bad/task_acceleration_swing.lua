return move_compliantly {
  name = "reach",
  motion_frame = { p = { 0.4, 0, 0.4 } },
  rx = { acceleration = 0, swing = { amplitude = 1 } },
  prediction = 1,
  stop_when = { time = 9 },
}
