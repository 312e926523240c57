-- Kinova Gen3 lowers its tool to a table and slides 0.10 m along x, once in contact, once in the air (Lau 2023,
-- experiment 7). Table, goal and start are ours: the tool upright, 10 mm above the table and 0.10 m before the goal, as
-- at q = -0.295 0.839 -2.714 -2.036 -0.811 -0.439 0.761, at 1000 Hz. (The published start, q = 0 0.262 3.14 -2.27 0
-- 0.96 1.57, has the tool level, 0.43 m up.)
--   achdgen --task robots/tasks/gen3_slide.lua

local abag = include("abag.lua")
local goal = { from = { 0.40, 0, 0.10 }, to = { 0.50, 0, 0.10 } }
local down = { { 1, 0, 0 }, { 0, -1, 0 }, { 0, 0, -1 } }

local function slide(name, z, no_contact)
  return move_compliantly {
    name = name,
    motion_frame = goal,
    x = { velocity = 0.02, tolerance = 0.003, largest = 20, abag = abag.gen3_surface.x },
    y = { position = 0, tolerance = 0.01, largest = 20, abag = abag.gen3_surface.y },
    z = z,
    orientation = { R = down, tolerance = 0.05, largest = 120, abag = abag.gen3_pregrasp.angular },
    prediction = 1,
    stop_when = { goal_area = 0.005, no_contact = no_contact, time = 15 },
  }
end

return {
  name = "gen3_slide",
  tasks = {
    move_compliantly {
      name = "lower",
      motion_frame = goal,
      x = { velocity = 0, tolerance = 0.003, largest = 20, abag = abag.gen3_pregrasp.x },
      y = { velocity = 0, tolerance = 0.003, largest = 20, abag = abag.gen3_pregrasp.y },
      z = { velocity = -0.006, tolerance = 0.001, largest = 20, abag = abag.gen3_pregrasp.z },
      orientation = { R = down, tolerance = 0.05, largest = 120, abag = abag.gen3_guarded.angular },
      prediction = 1,
      stop_when = { contact = { force = 15, duration = 0.01 }, time = 60 },
    },
    slide("in_contact", { force = 5, tolerance = 0.5, largest = 50, abag = abag.gen3_surface.z },
      { force = 0.5, duration = 0.014 }),
    slide("in_air", { position = 0, tolerance = 0.01, largest = 20, abag = abag.gen3_surface.z }),
  },
}
