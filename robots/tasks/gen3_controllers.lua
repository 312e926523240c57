-- Kinova Gen3 along one line by controllers beside ABAG: a PID; the cascade of the contact-task report (Lau 2023:
-- position 40 1/s, velocity 30 1/s for its approach, 0.1 m/s at most; angular 80 and 2, here 4 and 20); springs and
-- dampers, which give way; ABAG with a low-pass of second order. Gains but the report's are ours. From about
-- q = 0 0.26 3.14 -2.27 0 0.96 1.57.
--   achdgen --task robots/tasks/gen3_controllers.lua

local abag = include("abag.lua").gen3_pose
local level = { { 0, 0, 1 }, { 1, 0, 0 }, { 0, 1, 0 } } -- as the tool stands there

-- With the same motion; x, across and turn each are the numbers of a controller.
local function line(name, x, across, turn)
  local function with(set_point, controller)
    local direction = {}
    for word, value in pairs(set_point) do direction[word] = value end
    for word, value in pairs(controller) do direction[word] = value end
    return direction
  end
  return move_compliantly {
    name = name,
    motion_frame = { from = { 0.456, 0.002, 0.434 }, to = { 0.426, 0.082, 0.414 } },
    x = with({ velocity = 0.03, tolerance = 0.005 }, x),
    y = with({ position = 0, tolerance = 0.005 }, across),
    z = with({ position = 0, tolerance = 0.005 }, across),
    orientation = with({ R = level, tolerance = 0.05 }, turn),
    prediction = 0.5,
    stop_when = { goal_area = 0.005, time = 10 },
  }
end

local second = { order = 2, table.unpack(abag.linear) }
second[1] = 0.8 -- two low-passes come as late as one with 0.9

return {
  name = "gen3_controllers",
  tasks = {
    line("by_pid",
      { largest = 20, pid = { proportional = 20, integral = 100 } },
      { largest = 20, pid = { proportional = 100, integral = 100, derivative = 20, filter = 0.01 } },
      { largest = 120, pid = { proportional = 100, integral = 100, derivative = 20, filter = 0.01 } }),
    line("by_cascade",
      { largest = 20, cascade = { velocity = 30 } },
      { largest = 20, cascade = { position = 10, velocity = 30, speed = 0.1 } },
      { largest = 120, cascade = { position = 4, velocity = 20, speed = 0.5 } }),
    line("by_impedance",
      { largest = 60, impedance = { damping = 400 } },
      { largest = 60, impedance = { stiffness = 3000, damping = 300 } },
      { largest = 15, impedance = { stiffness = 60, damping = 6 } }),
    line("by_second_order",
      { largest = 20, abag = second }, { largest = 20, abag = second }, { largest = 120, abag = abag.angular }),
  },
}
