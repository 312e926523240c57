-- KUKA youBot's arm along a linear chirp of 0.5 to 4.5 Hz in y, 90 points (Vukcevic 2020, experiment 4: from
-- q = 1.000 1.353 -0.549 0.732 2.962, at 660 Hz). The path is 0.965 m long: at 0.05 m/s 19.3 s, but goal areas as long
-- as its sections cut the corners. Published 17.1 s, here the same. No set of ABAG's parameters is published for this
-- path: it takes that of the arm's pre-grasp motion.
--   achdgen --task robots/tasks/youbot_path.lua

local abag = include("abag.lua").youbot_pregrasp

local first, last, count = { -0.085, 0.272, 0.238 }, { 0.222, 0.285, 0.238 }, 90
local lowest, highest, amplitude = 0.5, 4.5, 0.05
-- y = amplitude sin(2 pi f i / count) with f from lowest to highest, evenly from point to point; i from 0.
local function wave(i)
  local f = lowest + (highest - lowest) * i / (count - 1)
  return amplitude * math.sin(2 * math.pi * f * i / count)
end
local drift = last[2] - first[2] - wave(count - 1) -- so that the last point is the published one
local points = {}
for i = 0, count - 1 do
  local t = i / (count - 1)
  points[i + 1] = { first[1] + (last[1] - first[1]) * t, first[2] + drift * t + wave(i), first[3] }
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
