-- Kinova Gen3 to a whole pose, all six directions controlled, with this arm's published parameters for that
-- (Vukcevic 2020): along a line of 0.12 m, the orientation held about axes of its own, those of the tool at the goal,
-- in the place of those of the motion frame. Line and pose are ours. From about q = 0 0.26 3.14 -2.27 0 0.96 1.57.
--   achdgen --task robots/tasks/gen3_pose.lua

local abag = include("abag.lua").gen3_pose
local level = { { 0, 0, 1 }, { 1, 0, 0 }, { 0, 1, 0 } } -- as the tool stands there

return move_compliantly {
  name = "gen3_pose",
  motion_frame = { from = { 0.456, 0.002, 0.434 }, to = { 0.406, 0.102, 0.394 } },
  x = { velocity = 0.03, tolerance = 0.005, largest = 20, abag = abag.linear },
  y = { position = 0, tolerance = 0.01, largest = 20, abag = abag.linear },
  z = { position = 0, tolerance = 0.01, largest = 20, abag = abag.linear },
  orientation = { R = level, frame = { R = level }, tolerance = 0.05, largest = 120, abag = abag.angular },
  prediction = 1,
  stop_when = { goal_area = 0.005, time = 15 },
}
