-- Down to the table, then 0.10 m along it with 5 N.
local x = { 0.9, 0.000457, 0.0005, 0.502492, 0.002552 } -- alpha, bias threshold and step, gain threshold and step
local y = { 0.9, 0.000407, 0.0004, 0.502492, 0.002552 }
local press = { 0.9, 0.000407, 0.000905, 0.452492, 0.003652 }
local turn = { 0.9, 0.0005, 0.0008, 0.65, 0.0025 }
local align = { 0.9, 0.00025, 0.0009, 0.5, 0.001 }

local line = { from = { 0.40, 0, 0.10 }, to = { 0.50, 0, 0.10 } } -- on the table [m]
local down = { { 1, 0, 0 }, { 0, -1, 0 }, { 0, 0, -1 } }          -- the tool's z axis points into the table

return {
  name = "slide",
  tasks = {
    move_compliantly {
      name = "lower",
      motion_frame = line,
      x = { velocity = 0, tolerance = 0.003, largest = 20, abag = x },
      y = { velocity = 0, tolerance = 0.003, largest = 20, abag = y },
      z = { velocity = -0.006, tolerance = 0.001, largest = 20, abag = y },
      orientation = { R = down, tolerance = 0.05, largest = 120, abag = turn },
      prediction = 1,
      stop_when = { contact = { force = 15, duration = 0.01 }, time = 20 },
    },
    move_compliantly {
      name = "along",
      motion_frame = line,
      x = { velocity = 0.02, tolerance = 0.003, largest = 20, abag = x },
      y = { position = 0, tolerance = 0.01, largest = 20, abag = y },
      z = { force = 5, tolerance = 0.5, largest = 20, abag = press },
      orientation = { R = down, tolerance = 0.05, largest = 120, abag = align },
      prediction = 1,
      stop_when = {
        goal_area = 0.002, no_contact = { force = 0.5, duration = 0.014 }, time = 15,
        aligned = { duration = 0.05, within = 4 }, -- pressed: within 4 tolerances of the force for this time
      },
    },
  },
}
