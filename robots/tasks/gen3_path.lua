-- Kinova Gen3 along a path of three legs with the published parameters for paths (Vukcevic 2020, Lau 2023). From
-- about q = 0 0.26 3.14 -2.27 0 0.96 1.57; the points are ours.
--   achdgen --task robots/tasks/gen3_path.lua

local abag = include("abag.lua").gen3_path

return move_compliantly {
  name = "gen3_path",
  path = {
    from = { 0.456, 0.002, 0.434 },
    through = { { 0.456, 0.082, 0.434 }, { 0.456, 0.082, 0.384 }, { 0.426, 0.162, 0.384 } },
  },
  x = { velocity = 0.03, tolerance = 0.005, largest = 20, abag = abag.x },
  y = { position = 0, tolerance = 0.01, largest = 20, abag = abag.y },
  z = { position = 0, tolerance = 0.01, largest = 20, abag = abag.z },
  prediction = 1.5,
  stop_when = { goal_area = 0.005, time = 20 },
}
