-- KUKA LWR 4 along a path of steps (Vukcevic 2020, experiment 3: from q = 1 0 0 -1.57 0 1.57 0, at 630 Hz).
-- Published are the first and the last of 12 points, the largest steps (0.12 m in z, 0.03 m in x) and the heights; that
-- the first step up is upright, all others in x as long as they may be, is ours. Published time: 11.8 s. Here it is
-- about 10.4 s, 1 s of it into the tube and 9.2 s for 0.553 m at 0.06 m/s: steps of 0.03 m in x leave room for no
-- longer path.
--   achdgen --task robots/tasks/lwr4_path.lua

local abag = include("abag.lua").lwr4_path

local first, last = { -0.200, -0.348, 0.632 }, { 0.099, -0.348, 0.612 }
local heights = { 0, 0.07, -0.05, 0.04, 0.01, -0.02 } -- over the first point, two points each [m]
local steps = 10 -- in x

local points = {}
for i = 1, 12 do
  local done = i < 3 and i - 1 or i - 2
  points[i] = {
    first[1] + (last[1] - first[1]) * done / steps, first[2], first[3] + heights[(i + 1) // 2],
  }
end

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
