-- A platform 1 m forward, within a tube around the line, looking ahead.

local abag = { 0.9, 0.000457, 0.0005, 0.502492, 0.002552 }

return move_compliantly {
  name = "platform_ahead",
  motion_frame = { from = { 0, 0, 0 }, to = { 1, 0, 0 } },
  x = { velocity = 0.2, tolerance = 0.01, largest = 2, abag = abag },
  y = { position = 0, tolerance = 0.01, largest = 2, abag = abag },
  orientation = { about = { "rz" }, tolerance = 0.02, largest = 6, abag = abag },
  prediction = 0.5,
  stop_when = { goal_area = 0.03, time = 20 },
}
