return move_compliantly { name = "a", object = 3, motion_frame = { p = { 0, 0, 0 } },
  x = { velocity = 1, tolerance = 0, largest = 1, abag = { 0.9, 0, 0.001, 0.5, 0.003 } }, stop_when = { time = 1 } }
