-- Kinova Gen3 along a path whose waypoints have numbers of their own (Vukcevic 2020 has "task constraints for each
-- waypoint independently", and asks for constraints on the way from one section to the next): quickly and in a wide
-- tube along y, where the corner may be cut; slowly down to a stop; on in the numbers of the task. ABAG's parameters as
-- published for paths, the rest is ours. From about q = 0 0.26 3.14 -2.27 0 0.96 1.57.
--   achdgen --task robots/tasks/gen3_waypoints.lua

local abag = include("abag.lua").gen3_path

return move_compliantly {
  name = "gen3_waypoints",
  path = {
    from = { 0.456, 0.002, 0.434 },
    through = {
      { p = { 0.456, 0.082, 0.434 }, velocity = 0.06, tube = 0.02, goal_area = 0.02, pass = "over" },
      { p = { 0.456, 0.082, 0.384 }, velocity = 0.02, prediction = 1, pass = "stop" },
      { 0.426, 0.162, 0.384 },
    },
  },
  x = { velocity = 0.04, tolerance = 0.005, largest = 20, abag = abag.x },
  y = { position = 0, tolerance = 0.01, largest = 20, abag = abag.y },
  z = { position = 0, tolerance = 0.01, largest = 20, abag = abag.z },
  prediction = 1.5,
  stop_when = { goal_area = 0.005, time = 20 },
}
