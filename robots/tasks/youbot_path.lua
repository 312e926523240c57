-- KUKA youBot's arm along a linear chirp of 0.5 to 4.5 Hz in y, 90 points (Vukcevic 2020, experiment 4: from
-- q = 1.000 1.353 -0.549 0.732 2.962, at 660 Hz).
--   achdgen --task robots/tasks/youbot_path.lua

local abag = include("abag.lua").youbot_pregrasp

local first, last, count = { -0.085, 0.272, 0.238 }, { 0.222, 0.285, 0.238 }, 90
local lowest, highest, amplitude = 0.5, 4.5, 0.05
local points = {}
for k = 1, count do
  local t = (k - 1) / (count - 1)
  local phase = 2 * math.pi * (lowest * t + (highest - lowest) * t * t / 2)
  points[k] = {
    first[1] + (last[1] - first[1]) * t,
    first[2] + (last[2] - first[2]) * t + amplitude * math.sin(phase),
    first[3],
  }
end
local from = points[1]
table.remove(points, 1)

return move_compliantly {
  name = "youbot_path",
  path = { from = from, through = points },
  x = { velocity = 0.05, tolerance = 0.003, largest = 10, abag = abag.x },
  y = { position = 0, tolerance = 0.015, largest = 10, abag = abag.y },
  z = { position = 0, tolerance = 0.015, largest = 10, abag = abag.z },
  prediction = 2.5,
  stop_when = { goal_area = 0.01, time = 18 },
}
