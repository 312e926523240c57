return move_compliantly {
  name = "reach",
  motion_frame = { p = { 0.4, 0, 0.4 } },
  y = { position = 0, tolerance = 0.01, largest = 20, abag = { 0.9, 0.0004, 0.0005, 0.5, 0.003 } },
  orientation = { tolerance = 0.1, largest = 5, about = { "rx" },
    frame = { R = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } },
    abag = { 0.9, 0.0004, 0.0005, 0.5, 0.003 } },
  prediction = 1,
  stop_when = { time = 9 },
}
