-- Kinova Gen3 slides along a table as by gen3_slide.lua, with no ABAG in contact: one PID presses with 5 N, another
-- gives the speed, a cascade (the kind of controller that Lau 2023 approaches by) keeps it on its line, springs and
-- dampers hold it upright. All gains are ours. Lowered by gen3_slide.lua's first task, from where that begins.
--   achdgen --task robots/tasks/gen3_press.lua

local down = { { 1, 0, 0 }, { 0, -1, 0 }, { 0, 0, -1 } }

return move_compliantly {
  name = "gen3_press",
  motion_frame = { from = { 0.40, 0, 0.10 }, to = { 0.50, 0, 0.10 } },
  x = { velocity = 0.02, tolerance = 0.003, largest = 20, pid = { proportional = 20, integral = 100 } },
  y = { position = 0, tolerance = 0.01, largest = 20, cascade = { position = 10, velocity = 30, speed = 0.1 } },
  z = { force = 5, tolerance = 0.5, largest = 50, pid = { proportional = 0.5, integral = 10 } },
  orientation = { R = down, tolerance = 0.05, largest = 15, impedance = { stiffness = 60, damping = 6 } },
  prediction = 1,
  stop_when = { goal_area = 0.005, no_contact = { force = 0.5, duration = 0.014 }, time = 15 },
}
