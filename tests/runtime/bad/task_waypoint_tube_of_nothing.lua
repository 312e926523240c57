return move_compliantly {
  name = "reach",
  path = { from = { 0, 0, 0 }, through = { { p = { 1, 0, 0 }, tube = 0.1 }, { 2, 0, 0 } } },
  y = { velocity = 0, tolerance = 0.01, largest = 20, abag = { 0.9, 0.0004, 0.0005, 0.5, 0.003 } },
  x = { velocity = 0.05, tolerance = 0.005, largest = 20, abag = { 0.9, 0.0004, 0.0005, 0.5, 0.003 } },
  prediction = 1,
  stop_when = { goal_area = 0.03, time = 90 },
}
