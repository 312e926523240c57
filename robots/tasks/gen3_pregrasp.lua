-- Kinova Gen3 to where it can grasp, along a line of 0.2 m within a tube, its orientation free (gen3_pose.lua holds
-- it, too): experiment 1 of Vukcevic 2020 with this arm's published parameters. From about
-- q = 0 0.26 3.14 -2.27 0 0.96 1.57.
--   achdgen --task robots/tasks/gen3_pregrasp.lua

local abag = include("abag.lua").gen3_pregrasp

return move_compliantly {
  name = "gen3_pregrasp",
  motion_frame = { from = { 0.40, -0.03, 0.45 }, to = { 0.40, 0.22, 0.40 } },
  x = { velocity = 0.05, tolerance = 0.005, largest = 20, abag = abag.x },
  y = { position = 0, tolerance = 0.01, largest = 20, abag = abag.y },
  z = { position = 0, tolerance = 0.01, largest = 20, abag = abag.z },
  prediction = 2.5,
  stop_when = { goal_area = 0.03, contact = { force = 15, duration = 0.01 }, time = 15 },
}
