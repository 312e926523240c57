local abag = { 0.9, 0.000407, 0.000495, 0.552492, 0.003152 }
return move_compliantly {
  name = "hold", motion_frame = { p = { 0, 0, 0 } },
  x = { position = 0, tolerance = 0.01, largest = 20, abag = abag },
  prediction = { acceleration = true },
  stop_when = { time = 3 },
}
