-- Kinova Gen3 holds its tool where it is at q = 0 1.3 3.14159 -1.5 0 1.2 1.5708, the upper arm nearly level; the elbow
-- may rest on something (Lau 2023, experiment 9). The posture is ours. Without tolerances every error counts.
local abag = include("abag.lua").gen3_load

return move_compliantly {
  name = "gen3_elbow",
  motion_frame = { p = { 0.678117, 0.001351, 0.096276 }, R = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } },
  x = { position = 0, tolerance = 0, largest = 20, abag = abag.x },
  y = { position = 0, tolerance = 0, largest = 20, abag = abag.y },
  z = { position = 0, tolerance = 0, largest = 20, abag = abag.z },
  orientation = { R = { { -0.000001, 0.029200, 0.999574 }, { 1.000000, 0.000001, 0.000001 },
    { -0.000001, 0.999574, -0.029200 } }, tolerance = 1e-6, largest = 120, abag = abag.angular },
  prediction = 0.1,
  stop_when = { time = 60 },
}
