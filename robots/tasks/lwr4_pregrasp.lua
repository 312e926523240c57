-- KUKA LWR 4 to where it can grasp, along a line at a speed that varies, free in orientation (Vukcevic 2020,
-- experiment 1: from q = 2.967 1.023 -0.131 1.612 0.221 0.177 0.015, at 630 Hz). There joint 1 stands 6e-5 rad before
-- its limit: lead it away, for one by a spring that acts within 0.1 rad of limits only.
--   achdgen --task robots/tasks/lwr4_pregrasp.lua

local abag = include("abag.lua").lwr4_pregrasp

return move_compliantly {
  name = "lwr4_pregrasp",
  motion_frame = {
    p = { -0.200, -0.308, 0.632 },
    R = { { -0.432, 0.730, 0.527 }, { -0.730, 0.058, -0.679 }, { -0.527, -0.679, 0.508 } },
  },
  x = { velocity = 0.05, wave = { amplitude = 0.12, number = 5 }, tolerance = 0.005, largest = 60, abag = abag.x },
  y = { position = 0, tolerance = 0.01, largest = 60, abag = abag.y },
  z = { position = 0, tolerance = 0.01, largest = 60, abag = abag.z },
  prediction = 2.5,
  stop_when = { goal_area = 0.03, contact = { force = 0.5 }, time = 9 },
}
