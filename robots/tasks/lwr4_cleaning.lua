-- KUKA LWR 4 wipes a table: down to it, flat on it, along it (Vukcevic 2020, experiment 5: from
-- q = 1.12 0.66 -0.13 -2.19 1.64 0.12 0.01, at 770 Hz, with gravity compensation). Published are the figures of the
-- wiping itself; approach and alignment take the same channels. The tool's z points into the table.
--   achdgen --task robots/tasks/lwr4_cleaning.lua

local abag = include("abag.lua").lwr4_cleaning
local half = math.sqrt(0.5)
local motion_frame = { -- turned by -45 degrees about z
  p = { -0.009, -0.454, 0.120 },
  R = { { half, half, 0 }, { -half, half, 0 }, { 0, 0, 1 } },
}
local flat = {
  rx = { moment = 0, tolerance = 0.005, largest = 30, abag = abag.rx },
  ry = { moment = 0, tolerance = 0.005, largest = 30, abag = abag.ry },
}
local pressed = { force = 0.03, tolerance = 0.003, largest = 300, abag = abag.z }

return {
  name = "lwr4_cleaning",
  tasks = {
    move_compliantly {
      name = "approach",
      motion_frame = motion_frame,
      x = { velocity = 0, tolerance = 0.003, largest = 80, abag = abag.x },
      y = { velocity = 0, tolerance = 0.003, largest = 70, abag = abag.y },
      z = { velocity = -0.006, tolerance = 0.001, largest = 80, abag = abag.x },
      stop_when = { contact = { force = 15, duration = 0.01 }, time = 8 },
    },
    move_compliantly {
      name = "align",
      motion_frame = motion_frame,
      x = { velocity = 0, tolerance = 0.003, largest = 80, abag = abag.x },
      y = { velocity = 0, tolerance = 0.003, largest = 70, abag = abag.y },
      z = pressed, rx = flat.rx, ry = flat.ry,
      stop_when = { no_contact = { force = 0.5, duration = 0.014 }, time = 8 },
    },
    move_compliantly {
      name = "wipe",
      motion_frame = motion_frame,
      x = { velocity = 0.03, tolerance = 0.003, largest = 80, abag = abag.x },
      y = { position = 0, tolerance = 0.07, largest = 70, abag = abag.y },
      z = pressed, rx = flat.rx, ry = flat.ry,
      prediction = 2.5,
      stop_when = { goal_area = 0.003, no_contact = { force = 0.5, duration = 0.014 }, time = 8 },
    },
  },
}
