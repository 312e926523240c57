-- Kinova Gen3 with tasks at three frames: its tool goes along a line while its elbow holds its height, which is a task
-- of its own that runs beside; then its camera, a second tool, goes along a line. The parameters are those published
-- for this arm's pre-grasp motion (Vukcevic 2020); lines and height are ours. From about
-- q = 0 0.26 3.14 -2.27 0 0.96 1.57.
--   achdgen --task robots/tasks/gen3_frames.lua
-- The robot: robots/tasks/layouts/gen3_frames.lua. docs/layouts.md says how the elbow's task runs beside the tool's.

local abag = include("abag.lua").gen3_pregrasp

local function line(name, from, to)
  return move_compliantly {
    name = name,
    motion_frame = { from = from, to = to },
    x = { velocity = 0.04, tolerance = 0.005, largest = 20, abag = abag.x },
    y = { position = 0, tolerance = 0.01, largest = 20, abag = abag.y },
    z = { position = 0, tolerance = 0.01, largest = 20, abag = abag.z },
    prediction = 1,
    stop_when = { goal_area = 0.01, time = 15 },
  }
end

return {
  name = "gen3_frames",
  tasks = {
    line("tool", { 0.456, 0.002, 0.434 }, { 0.356, 0.052, 0.434 }),
    move_compliantly {
      name = "elbow",
      motion_frame = { p = { 0.109, -0.005, 0.691 } },
      z = { position = 0, tolerance = 0, largest = 20, abag = abag.z },
      prediction = 0.3,
      stop_when = { time = 60 },
    },
    line("camera", { 0.297, 0.044, 0.434 }, { 0.317, -0.026, 0.464 }),
  },
}
