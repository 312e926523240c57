-- Kinova Gen3 lowers its tool to a table and draws a line of 0.10 m, in contact and 0.10 m above (Lau 2023, experiment
-- 8). The line's place is ours; from the tool upright 10 mm above it, as at q = -0.208 0.901 -2.654 -1.856 -0.742
-- -0.575 0.766, at 1000 Hz.
--   achdgen --task robots/tasks/gen3_line.lua

local abag = include("abag.lua").gen3_surface
local pregrasp = include("abag.lua").gen3_pregrasp
local down = { { 1, 0, 0 }, { 0, -1, 0 }, { 0, 0, -1 } }

local function line(name, height, z)
  return move_compliantly {
    name = name,
    motion_frame = { from = { 0.45, -0.05, height }, to = { 0.45, 0.05, height } },
    x = { velocity = 0.02, tolerance = 0.002, largest = 20, abag = abag.x },
    y = { position = 0, tolerance = 0.001, largest = 20, abag = abag.y },
    z = z,
    orientation = { R = down, tolerance = 0.05, largest = 120, abag = pregrasp.angular },
    prediction = 0.5,
    stop_when = { goal_area = 0.002, time = 15 },
  }
end

return {
  name = "gen3_line",
  tasks = {
    move_compliantly {
      name = "lower",
      motion_frame = { from = { 0.45, -0.05, 0.10 }, to = { 0.45, 0.05, 0.10 } },
      x = { velocity = 0, tolerance = 0.001, largest = 20, abag = pregrasp.x },
      y = { position = 0, tolerance = 0.001, largest = 20, abag = pregrasp.y },
      z = { velocity = -0.006, tolerance = 0.001, largest = 20, abag = pregrasp.z },
      orientation = { R = down, tolerance = 0.05, largest = 120, abag = pregrasp.angular },
      prediction = 0.5,
      stop_when = { contact = { force = 15, duration = 0.01 }, time = 60 },
    },
    line("in_contact", 0.10, { force = 5, tolerance = 0.5, largest = 50, abag = abag.z }),
    line("above", 0.20, { position = 0, tolerance = 0.001, largest = 20, abag = abag.z }),
  },
}
