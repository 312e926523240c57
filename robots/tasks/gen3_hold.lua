-- Kinova Gen3 holds a pose, to learn what it carries (Vukcevic 2020, experiment 6). The pose is that of
-- q = 0 0.26 3.14 -2.27 0 0.96 1.57; give your own. Without tolerances every error counts, so that the biases learn;
-- such a task is never within its tube, and ends with its time.
--   achdgen --task robots/tasks/gen3_hold.lua

local abag = include("abag.lua").gen3_load

return move_compliantly {
  name = "gen3_hold",
  motion_frame = { p = { 0.456, 0.002, 0.434 }, R = { { 0, 0, 1 }, { 1, 0, 0 }, { 0, 1, 0 } } },
  x = { position = 0, tolerance = 0, largest = 20, abag = abag.x },
  y = { position = 0, tolerance = 0, largest = 20, abag = abag.y },
  z = { position = 0, tolerance = 0, largest = 20, abag = abag.z },
  orientation = { tolerance = 1e-6, largest = 120, abag = abag.angular },
  prediction = 0.1,
  stop_when = { time = 60 },
}
