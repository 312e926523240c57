-- KUKA LWR 4 wipes a table along a path: down to it, flat on it, and over four sections with corners of 45, 90 and 45
-- degrees, by the machine surface_path (the published wiping, lwr4_cleaning, is one straight section). From about
-- q = 1.12 0.66 -0.13 -2.19 1.64 0.12 0.01, at 770 Hz, with gravity compensation; parameters of ABAG as published for
-- wiping (Vukcevic 2020), path, force and tolerances are ours. The tool frame is the bottom of what it wipes with; its
-- z points into the table, whose height need not be known: z is a force while it wipes. About x and y it keeps moments
-- of 0, about a point in the surface, where friction has none: with the force's direction for the error, as in
-- lwr4_cleaning, the tool leans by the angle of friction. The force has to be large enough for the tolerance of the
-- moments: 5 N with its centre 4 mm beside the tool's are 0.02 N m.
--   achdgen --task robots/tasks/surface_path.lua

local abag = include("abag.lua").lwr4_cleaning

local from, heading = { -0.190, -0.320, 0.120 }, -45 -- about z, from the base's x [degrees]
local sections = { -- turned to the left by so many degrees, so long [m]
  { 0, 0.08 }, { 45, 0.08 }, { -90, 0.08 }, { -45, 0.06 },
}
local through, before = {}, from
for k, section in ipairs(sections) do
  heading = heading + section[1]
  local angle = math.rad(heading)
  before = { before[1] + section[2] * math.cos(angle), before[2] + section[2] * math.sin(angle), before[3] }
  through[k] = before
end

local first = { from = from, to = through[1] }
local rest = { velocity = 0, tolerance = 0.003, largest = 80, abag = abag.x }
local press = { force = 5, tolerance = 0.5, largest = 300, abag = abag.z }
local flat = { moment = 0, tolerance = 0.02, largest = 30, abag = abag.rx }
local lost = { force = 0.5, duration = 0.05 }

return {
  name = "surface_path",
  tasks = {
    move_compliantly {
      name = "approach",
      motion_frame = first,
      x = rest, y = rest,
      z = { velocity = -0.006, tolerance = 0.001, largest = 80, abag = abag.x },
      stop_when = { contact = { axis = "z", force = 15, duration = 0.01 }, time = 30 },
    },
    move_compliantly {
      name = "align",
      motion_frame = first,
      x = rest, y = rest, z = press,
      rx = flat, ry = flat,
      prediction = 0.5,
      stop_when = { aligned = { duration = 0.1, within = 4, time = 15 }, no_contact = lost, time = 30 },
    },
    move_compliantly {
      name = "wipe",
      path = { from = from, through = through },
      x = { velocity = 0.03, tolerance = 0.003, largest = 80, abag = abag.x },
      y = { position = 0, tolerance = 0.01, largest = 70, abag = abag.y },
      z = press,
      rx = flat, ry = flat,
      prediction = 0.5,
      stop_when = { goal_area = 0.003, time = 20, no_contact = lost },
    },
  },
}
