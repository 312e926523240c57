-- KUKA youBot's arm to where it can grasp (Vukcevic 2020, experiment 2: from q = 1.384 1.597 -1.495 1.925 2.957,
-- at 660 Hz).
--   achdgen --task robots/tasks/youbot_pregrasp.lua

local abag = include("abag.lua").youbot_pregrasp

return move_compliantly {
  name = "youbot_pregrasp",
  motion_frame = {
    p = { 0.019, 0.185, 0.240 },
    R = { { 0.0, 0.914, -0.404 }, { -0.914, 0.163, 0.369 }, { 0.404, 0.369, 0.836 } },
  },
  x = { velocity = 0, wave = { amplitude = 0.05, number = 15 }, tolerance = 0.003, largest = 10, abag = abag.x },
  y = { position = 0, tolerance = 0.015, largest = 10, abag = abag.y },
  z = { position = 0, tolerance = 0.015, largest = 10, abag = abag.z },
  prediction = 2.5,
  stop_when = { goal_area = 0.02, time = 9.5 },
}
