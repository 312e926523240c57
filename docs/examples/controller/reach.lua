-- To a goal along a line, within a tube of 1 cm around it.
local x = { 0.9, 0.000457, 0.0005, 0.502492, 0.002552 } -- alpha, bias threshold and step, gain threshold and step
local yz = { 0.9, 0.000407, 0.0004, 0.502492, 0.002552 }

return move_compliantly {
  name = "reach",
  motion_frame = { from = { 0.40, -0.03, 0.45 }, to = { 0.40, 0.22, 0.40 } }, -- [m], in the base frame
  x = { velocity = 0.05, tolerance = 0.005, largest = 20, abag = x },   -- along the line [m/s]
  y = { position = 0, tolerance = 0.01, largest = 20, abag = yz },      -- beside it [m]
  z = { position = 0, tolerance = 0.01, largest = 20, abag = yz },
  prediction = 2.5, -- [s]
  stop_when = { goal_area = 0.03, contact = { force = 15, duration = 0.01 }, time = 15 },
}
