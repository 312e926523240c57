-- Kinova Gen3 with its tool level, as at the published start q = 0 0.262 3.14 -2.27 0 0.96 1.57, lowers it by 0.25 m to
-- a table and slides it 0.10 m along x, once in contact, once in the air (Lau 2023, experiment 7). It presses with 10
-- N, as the published program says ("F_x = -10 N"). Speeds are ours.
local abag = include("abag.lua")
local height = 0.434 - 0.25
local goal = { from = { 0.456, 0.002, height }, to = { 0.556, 0.002, height } }
local level = { { 0, 0, 1 }, { 1, 0, 0 }, { 0, 1, 0 } } -- the tool's z along x, its y upwards
local force_frame = { R = { { 0, -1, 0 }, { 0, 0, -1 }, { 1, 0, 0 } } } -- z downwards, x along x

local function slide(name, z, no_contact)
  return move_compliantly {
    name = name,
    motion_frame = goal, force_frame = force_frame,
    x = { velocity = 0.02, tolerance = 0.003, largest = 20, abag = abag.gen3_surface.x },
    y = { position = 0, tolerance = 0.01, largest = 20, abag = abag.gen3_surface.y },
    z = z,
    orientation = { R = level, tolerance = 0.05, largest = 120, abag = abag.gen3_pregrasp.angular },
    prediction = 1,
    stop_when = { goal_area = 0.005, no_contact = no_contact, time = 30 },
  }
end

return {
  name = "gen3_side",
  tasks = {
    move_compliantly {
      name = "lower",
      motion_frame = goal, force_frame = force_frame,
      x = { velocity = 0, tolerance = 0.003, largest = 20, abag = abag.gen3_pregrasp.x },
      y = { velocity = 0, tolerance = 0.003, largest = 20, abag = abag.gen3_pregrasp.y },
      z = { velocity = -0.05, tolerance = 0.005, largest = 20, abag = abag.gen3_pregrasp.z },
      orientation = { R = level, tolerance = 0.05, largest = 120, abag = abag.gen3_guarded.angular },
      prediction = 1,
      stop_when = { contact = { force = 15, duration = 0.01 }, time = 60 },
    },
    slide("in_contact", { force = 10, tolerance = 0.5, largest = 50, abag = abag.gen3_surface.z },
      { force = 0.5, duration = 0.05 }),
    slide("in_air", { position = 0, tolerance = 0.01, largest = 20, abag = abag.gen3_surface.z }),
  },
}
