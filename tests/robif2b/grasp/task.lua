-- From where robots/tasks/gen3_pregrasp.lua ends: 0.07 m on to an object, the tool level, and 0.08 m up. Lines,
-- speeds and tolerances are ours; ABAG's parameters are those published for a whole pose (gen3_pose.lua).
--   achdgen --task tests/robif2b/grasp/task.lua

local abag = include("abag.lua").gen3_pose
-- The pre-grasp task leaves the orientation free, and the tool turns by about 0.5 rad: its z is along (c, s, 0) here.
local c, s = 0.88, 0.474973683482
local level = { { -s, 0, c }, { c, 0, s }, { 0, 1, 0 } }
local at = { 0.401, 0.190, 0.404 }
local function beyond(way, height) return { at[1] + way * c, at[2] + way * s, at[3] + height } end

local function line(name, from, to, velocity)
  return move_compliantly {
    name = name,
    motion_frame = { from = from, to = to },
    x = { velocity = velocity, tolerance = 0.005, largest = 20, abag = abag.linear },
    y = { position = 0, tolerance = 0.005, largest = 20, abag = abag.linear },
    z = { position = 0, tolerance = 0.005, largest = 20, abag = abag.linear },
    orientation = { R = level, frame = { R = level }, tolerance = 0.05, largest = 120, abag = abag.angular },
    prediction = 1,
    stop_when = { goal_area = 0.005, time = 15 },
  }
end

return {
  name = "grasp",
  tasks = {
    line("to_object", beyond(0, 0), beyond(0.07, 0), 0.03),
    line("up", beyond(0.065, 0), beyond(0.065, 0.08), 0.03),
  },
}
