-- KUKA LWR 4 along a path of steps (Vukcevic 2020, experiment 3: from q = 1 0 0 -1.57 0 1.57 0, at 630 Hz).
-- Published are the first and the last point, their number and the largest steps; those between are ours.
--   achdgen --task robots/tasks/lwr4_path.lua

local abag = include("abag.lua").lwr4_path

local points = { { -0.200, -0.348, 0.632 } }
local steps = { -- in x and z [m]
  { 0.030, 0 }, { 0, 0.060 }, { 0.030, 0 }, { 0.030, -0.120 }, { 0.030, 0 }, { 0.030, 0.120 }, { 0.030, 0 },
  { 0.030, -0.120 }, { 0.030, 0 }, { 0.029, 0.040 },
}
for k, step in ipairs(steps) do
  local before = points[k]
  points[k + 1] = { before[1] + step[1], before[2], before[3] + step[2] }
end
points[12] = { 0.099, -0.348, 0.612 }

local from = points[1]
table.remove(points, 1)

return move_compliantly {
  name = "lwr4_path",
  path = { from = from, through = points },
  x = { velocity = 0.06, tolerance = 0.005, largest = 60, abag = abag.x },
  y = { position = 0, tolerance = 0.01, largest = 60, abag = abag.y },
  z = { position = 0, tolerance = 0.01, largest = 60, abag = abag.z },
  prediction = 1.5,
  stop_when = { goal_area = 0.001, time = 12 },
}
