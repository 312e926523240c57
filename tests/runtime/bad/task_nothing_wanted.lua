return move_compliantly {
  name = "idle",
  motion_frame = { p = { 0, 0, 0 } },
  stop_when = { time = 1 },
}
