local abag = { 0.9, 0.000407, 0.000495, 0.552492, 0.003152 }
return move_compliantly {
  name = "lower", motion_frame = { p = { 0, 0, 0 } },
  z = { velocity = -0.006, tolerance = 0.001, largest = 20, abag = abag },
  stop_when = { contact = { velocity = 1e-3, samples = 2.5 } },
}
