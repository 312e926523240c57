-- SPDX-License-Identifier: MIT
-- first_loop.lua: what --init loop, --init task and --init machine print: a layout for the control loop of the runtime
-- library, tasks and a state machine to begin with. The tasks stand in the frame that the tool has where the program
-- begins, so that they suit every arm; names are those of docs/examples/arm.

local First = require "first_layout"

local Texts = {}

local layout = [[
-- A layout of FILE for the control loop, printed by achdgen --init loop (docs/runtime.md). Yours: the frame of the
-- tool, the rotors, and limits that the robot's file does not have.
local tool = TOOL

return {
  name = "arm",
  gravity = { 0, 0, -9.81 },
  saturate = true,
  torques = { artificial = true },
LINES  wrenches = {
    { name = "push", frame = tool, kind = "physical" },    -- what the sensor measures
    { name = "press", frame = tool, kind = "artificial" }, -- what the motors exert where a task asks for a force
  },
  groups = { { name = "tool", frame = tool, axes = "input", maskable = true } }, -- the directions of a task
  outputs = { "qdd", "tau_ctrl", pose = { tool }, twist = { tool } },
}
]]

Texts.task = [[
-- Down to a surface, 0.10 m along it with 10 N, and up again; printed by achdgen --init task. All of it is in the frame
-- that the tool has where the program begins: z is where the tool points, x is the direction of the slide.
local distance = 0.10 -- [m]
-- alpha, bias threshold and step, gain threshold and step of each controller (docs/layouts.md, Tasks)
local still = { 0.9, 0.000407, 0.0004, 0.502492, 0.002552 }
local press = { 0.9, 0.000407, 0.000905, 0.452492, 0.003652 }
local turn = { 0.9, 0.0005, 0.0008, 0.65, 0.0025 }

local along = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }
local up = { { 0, 0, 1 }, { 0, 1, 0 }, { -1, 0, 0 } } -- its x axis, the motion's, is the opposite of the tool's z axis

return {
  name = "work",
  tasks = {
    move_compliantly {
      name = "lower",
      object = "start",
      motion_frame = { p = { 0, 0, 0 }, R = along },
      x = { position = 0, tolerance = 0.003, largest = 20, abag = still },
      y = { position = 0, tolerance = 0.003, largest = 20, abag = still },
      z = { velocity = 0.02, tolerance = 0.001, largest = 20, abag = still }, -- [m/s]
      orientation = { tolerance = 0.05, largest = 120, abag = turn },
      prediction = 1,
      stop_when = { contact = { force = 5, duration = 0.01 }, time = 20 }, -- [N], [s]
    },
    move_compliantly {
      name = "slide",
      object = "start",
      motion_frame = { p = { distance, 0, 0 }, R = along },
      x = { velocity = 0.03, tolerance = 0.003, largest = 20, abag = still },
      y = { position = 0, tolerance = 0.01, largest = 20, abag = still },
      z = { force = 10, tolerance = 0.5, largest = 20, abag = press }, -- [N]
      orientation = { tolerance = 0.05, largest = 120, abag = turn },
      prediction = 1,
      stop_when = {
        goal_area = 0.002, no_contact = { force = 0.5, duration = 0.05 }, time = 20,
        aligned = { duration = 0.05, within = 4 }, -- pressed: within 4 tolerances of the force for this time
      },
    },
    move_compliantly {
      name = "retreat",
      object = "start",
      motion_frame = { p = { distance, 0, 0 }, R = up },
      x = { velocity = 0.05, tolerance = 0.003, largest = 20, abag = still },
      y = { position = 0, tolerance = 0.01, largest = 20, abag = still },
      z = { position = 0, tolerance = 0.01, largest = 20, abag = still },
      orientation = { R = along, tolerance = 0.05, largest = 120, abag = turn },
      prediction = 1,
      stop_when = { goal_area = 0.005, time = 20 },
    },
  },
}
]]

Texts.machine = [[
-- Down to the surface, press, along it, up again; printed by achdgen --init machine. The first reaction that matches is
-- taken.
return {
  name = "steps",
  initial = "stop",
  states = {
    { name = "stop", doc = "hold the joints" },
    { name = "approach", doc = "down until contact" },
    { name = "press", doc = "press, no speed along the line" },
    { name = "slide", doc = "press, along the line" },
    { name = "retreat", doc = "away from the surface" },
  },
  events = {
    { name = "e_fault", by = "the loop's monitors", everywhere = true, latches = true },
    { name = "e_timeout", by = "the task's clock", everywhere = true, latches = true },
    { name = "e_start", by = "the program", releases = true },
    { name = "e_contact", by = "the contact monitor" },
    { name = "e_no_contact", by = "the contact monitor" },
    { name = "e_pressed", by = "the task: the force is the wanted one" },
    { name = "e_goal_area", by = "the task's errors" },
  },
  transitions = {
    { name = "halt", from = "any", to = "stop" },
    { name = "lower", from = "stop", to = "approach" },
    { name = "touch", from = "approach", to = "press" },
    { name = "lose", from = { "press", "slide" }, to = "approach" },
    { name = "go", from = "press", to = "slide" },
    { name = "lift", from = "slide", to = "retreat" },
    { name = "arrive", from = "retreat", to = "stop" },
  },
  reactions = {
    { when = { "e_fault", "e_timeout" }, transition = "halt" },
    { when = "e_start", transition = "lower" },
    { when = "e_contact", transition = "touch" },
    { when = "e_no_contact", transition = "lose" },
    { when = "e_pressed", transition = "go" },
    { when = "e_goal_area", transition = "lift" },
    { when = "e_goal_area", transition = "arrive" },
  },
}
]]

-- A list by joints, on as many lines as it takes, as a comment or not.
local function by_joints(word, items, dashes, comment)
  local lines = {"  " .. dashes .. word .. " = { -- " .. comment}
  for _, item in ipairs(items) do lines[#lines + 1] = "  " .. dashes .. "  " .. item .. "," end
  lines[#lines + 1] = "  " .. dashes .. "},"
  return table.concat(lines, "\n") .. "\n"
end

-- What the robot's file may lack: rotors, efforts, velocities; what hangs at it only now and then.
local function lines_of(robot)
  local key, number = First.key, First.number
  local rotors, efforts, speeds, locked, out = {}, {}, {}, {}, {}
  for _, l in ipairs(robot.locked) do locked[#locked + 1] = key(robot:joint(l.i).name) .. " = " .. number(l.q) end
  for _, i in ipairs(robot:own_joints()) do
    local joint = robot:joint(i)
    rotors[#rotors + 1] = key(joint.name) .. " = 0"
    if not joint.effort then efforts[#efforts + 1] = key(joint.name) .. " = nil" end
    if not joint.velocity then speeds[#speeds + 1] = key(joint.name) .. " = { velocity = nil }" end
  end
  if #locked > 0 then out[1] = by_joints("locked", locked, "", "the gripper, fixed at these positions [rad, m]") end
  out[#out + 1] = by_joints("armature", rotors, "-- ",
    "inertias of the rotors, seen from the joints [kg m^2, kg]: without them stops are slow")
  if #efforts > 0 then
    out[#out + 1] = by_joints("effort", efforts, "", "the robot's file has none: give them [N m, N]")
  end
  if #speeds > 0 then
    out[#out + 1] = by_joints("joint_limits", speeds, "", "the robot's file has none: give them [rad/s, m/s]")
  end
  out[#out + 1] = '  -- payload = { frame = tool, mass = "input", com = "input" }, -- what comes and goes at run time\n'
  return table.concat(out)
end

-- what: "loop", "task" or "machine"; path: the robot's file.
function Texts.text(model, path, what)
  if what ~= "loop" then return Texts[what] end
  local robot = First.open(model)
  local limb = robot.limbs[1]
  local tip = model.links[limb and limb.link or robot.reduced.frames[#robot.reduced.frames].link].name
  local values = {
    FILE = First.shown(path == "standard input" and "robot.urdf" or path:match("[^/]*$")), TOOL = First.quoted(tip),
    LINES = lines_of(robot),
  }
  return (layout:gsub("%f[%u]%u+%f[%U]", values))
end

return Texts
