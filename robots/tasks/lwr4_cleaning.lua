-- KUKA LWR 4 wipes a table: down to it, flat on it, along it (Vukcevic 2020, experiment 5: from
-- q = 1.12 0.66 -0.13 -2.19 1.64 0.12 0.01, at 770 Hz, with gravity compensation). The tool frame is the bottom of what
-- it wipes with; its z points into the table. Published are the figures of the wiping; approach and alignment take the
-- same channels, and 2 N to align with are ours. About x and y the published controller too took the force's direction
-- for the error: at 0.03 N no moment of a hand's breadth reaches its tolerance of 0.005 N m. Contact counts as lost
-- below 0.01 N: below 0.5 N, as elsewhere, this one would always be.
--   achdgen --task robots/tasks/lwr4_cleaning.lua

local abag = include("abag.lua").lwr4_cleaning
local half = math.sqrt(0.5)
local motion_frame = { -- turned by -45 degrees about z
  p = { -0.009, -0.454, 0.120 },
  R = { { half, half, 0 }, { -half, half, 0 }, { 0, 0, 1 } },
}
-- About the tool's x and y; the tolerance is an angle.
local function flat(tolerance)
  return { force_direction = true, tolerance = tolerance, largest = 30, abag = abag.rx }
end
local x = { velocity = 0.03, tolerance = 0.003, largest = 80, abag = abag.x }
local rest = { velocity = 0, tolerance = 0.003, largest = 80, abag = abag.x }

return {
  name = "lwr4_cleaning",
  tasks = {
    move_compliantly {
      name = "approach",
      motion_frame = motion_frame,
      x = rest, y = { velocity = 0, tolerance = 0.003, largest = 70, abag = abag.y },
      z = { velocity = -0.006, tolerance = 0.001, largest = 80, abag = abag.x },
      stop_when = { contact = { axis = "z", force = 15, duration = 0.01 }, time = 30 },
    },
    move_compliantly {
      name = "align",
      motion_frame = motion_frame,
      x = rest, y = { velocity = 0, tolerance = 0.003, largest = 70, abag = abag.y },
      z = { force = 2, tolerance = 0.5, largest = 300, abag = abag.z },
      rx = flat(0.05), ry = flat(0.05),
      prediction = 0.5,
      stop_when = {
        aligned = { duration = 0.1, within = 4, time = 10 }, no_contact = { force = 0.5, duration = 0.014 }, time = 30,
      },
    },
    move_compliantly {
      name = "wipe",
      motion_frame = motion_frame,
      x = x, y = { position = 0, tolerance = 0.07, largest = 70, abag = abag.y },
      z = { force = 0.03, tolerance = 0.003, largest = 300, abag = abag.z },
      rx = flat(0.005), ry = flat(0.005),
      prediction = 2.5,
      stop_when = {
        goal_area = 0.003, time = 8, contact_x_y = { force = 1, duration = 0.05 },
        no_contact = { force = 0.01, duration = 0.5 },
      },
    },
  },
}
