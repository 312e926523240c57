-- SPDX-License-Identifier: MIT
-- task.lua: what a description of tasks says, checked and completed: per direction a velocity, a position, a force
-- or nothing (task frame formalism); frames from points; when to stop. Lengths are in m, angles in rad.

local Frames = require "task_frames"
local Law = require "task_law"
local Numbers = require "task_numbers"
local Reader = require "reader"
local Stop = require "task_stop"
local join = Reader.join

local directions = {"x", "y", "z", "rx", "ry", "rz"}
local words = {
  "name", "motion_frame", "force_frame", "path", "orientation", "prediction", "stop_when", "object",
  table.unpack(directions),
}
-- The word that says what a direction does, and its kind in runtime/achd/task.h.
local kinds = {
  linear = {
    velocity = "ACHD_VELOCITY", position = "ACHD_POSITION", force = "ACHD_FORCE", acceleration = "ACHD_ACCELERATION",
  },
  angular = {
    velocity = "ACHD_VELOCITY", moment = "ACHD_FORCE", force_direction = "ACHD_FORCE_DIRECTION",
    acceleration = "ACHD_ACCELERATION",
  },
}
local kind_words = {
  linear = {"velocity", "position", "force", "acceleration"},
  angular = {"velocity", "moment", "force_direction", "acceleration"},
}

local positive, not_negative = Numbers.positive, Numbers.not_negative
local rotation = Frames.rotation

-- ---- directions ----

-- An acceleration that is given: no controller, no tolerance.
local function read_acceleration(self, raw, path, d)
  for _, word in ipairs {"tolerance", "wave", table.unpack(Law.words)} do
    if raw[word] ~= nil then
      self:fail(join(path, word), '"' .. word .. '" beside an acceleration that is given', "leave it out")
    end
  end
  if raw.swing ~= nil then
    local at = join(path, "swing")
    self:expect(raw.swing, "table", at, "a swing over time: { amplitude = ..., rate = ... }")
    self:known(raw.swing, {"amplitude", "rate"}, at)
    d.amplitude = positive(self, raw.swing.amplitude, join(at, "amplitude"), "an acceleration above 0 [m/s^2, rad/s^2]")
    d.wave = positive(self, raw.swing.rate, join(at, "rate"), "how fast it swings, above 0 [rad/s]")
  end
  d.largest = math.abs(d.value) + d.amplitude
  return d
end

local function read_direction(self, raw, name, path)
  local group = #name == 1 and "linear" or "angular"
  local d = Law.free()
  self:expect(raw, "table", path, "a direction: { velocity = ..., tolerance = ... }")
  local known = {"tolerance", table.unpack(kind_words[group])}
  table.move(Law.words, 1, #Law.words, #known + 1, known)
  known[#known + 1], known[#known + 2] = "wave", "swing"
  self:known(raw, known, path)
  local said
  for _, word in ipairs(kind_words[group]) do
    if raw[word] ~= nil then
      if said then
        self:fail(join(path, word), 'direction "' .. name .. '" has a ' .. said .. " and a " .. word,
          "a direction has one of them")
      end
      said = word
    end
  end
  if not said then
    self:fail(path, 'direction "' .. name .. '" has no set-point',
      "give " .. table.concat(kind_words[group], " or ") .. ", or leave it out: then the direction is free")
  end
  d.kind = kinds[group][said]
  if said == "force_direction" then
    self:expect(raw[said], "boolean", join(path, said))
    if name == "rz" or not raw[said] then
      self:fail(join(path, said), 'direction "' .. name .. '" cannot be aligned with the force',
        "force_direction = true is for rx and ry")
    end
  else
    d.value = self:expect(raw[said], "number", join(path, said)) + 0.0
  end
  if said == "acceleration" then return read_acceleration(self, raw, path, d) end
  if raw.swing ~= nil then
    self:fail(join(path, "swing"), "a swing needs an acceleration", "leave it out")
  end
  d.tolerance = not_negative(self, raw.tolerance, join(path, "tolerance"), "a tolerance of 0 or more")
  if raw.wave ~= nil then
    local at = join(path, "wave")
    if said ~= "velocity" then self:fail(at, "a wave needs a velocity", "leave it out") end
    self:expect(raw.wave, "table", at, "a wave over x: { amplitude = ..., number = ... }")
    self:known(raw.wave, {"amplitude", "number"}, at)
    d.amplitude = self:expect(raw.wave.amplitude, "number", join(at, "amplitude")) + 0.0
    d.wave = self:expect(raw.wave.number, "number", join(at, "number")) + 0.0
  end
  Law.read(self, raw, path, d)
  return d
end

-- One tolerance for all the directions that it is about.
local function read_orientation(self, task, raw, path)
  task.orientation, task.orientation_tolerance = task.frames[1].R, 0
  task.turned, task.turn_axes = false, Frames.identity
  if raw.orientation == nil then return end
  local o, at = raw.orientation, join(path, "orientation")
  self:expect(o, "table", at, "an orientation: { tolerance = ... }")
  self:known(o, {"R", "frame", "tolerance", "about", table.unpack(Law.words)}, at)
  if o.frame ~= nil then
    self:expect(o.frame, "table", join(at, "frame"), "axes in the base frame: { R = {..} }")
    self:known(o.frame, {"R"}, join(at, "frame"))
    task.turned, task.turn_axes = true, rotation(self, o.frame.R, join(at, "frame", "R"))
  end
  if o.R ~= nil then task.orientation = rotation(self, o.R, join(at, "R")) end
  task.orientation_tolerance = positive(self, o.tolerance, join(at, "tolerance"), "the largest angle [rad]")
  local about = {4, 5, 6}
  if o.about ~= nil then
    about = self:each_once(o.about, join(at, "about"), "directions", function(name, place)
      self:one_of(name, {"rx", "ry", "rz"}, place)
      return ({rx = 4, ry = 5, rz = 6})[name]
    end)
  end
  for _, k in ipairs(about) do
    if task.direction[k].kind ~= "ACHD_FREE" then
      self:fail(join(path, directions[k]), 'direction "' .. directions[k] .. '" has an orientation already',
        "leave one out, or say what the orientation is about")
    end
    local d = Law.free()
    d.kind = "ACHD_ORIENTATION"
    Law.read(self, o, at, d)
    task.direction[k] = d
  end
end

-- The rows of a task have one rotation: that of the motion frame, or that of the orientation's, where all three linear
-- or all three angular directions are rows, whose accelerations are those along any axes.
local function check_turned(self, task, path)
  if not task.turned then return end
  local rows = {0, 0}
  for k, d in ipairs(task.direction) do
    local row = d.kind ~= "ACHD_FREE" and d.kind ~= "ACHD_FORCE" and d.kind ~= "ACHD_FORCE_DIRECTION" and
      d.law ~= "ACHD_LAW_IMPEDANCE"
    if row then rows[k > 3 and 2 or 1] = rows[k > 3 and 2 or 1] + 1 end
  end
  if rows[1] < 3 and rows[2] > 0 and rows[2] < 3 then
    self:fail(join(path, "orientation", "frame"),
      "axes of its own for an orientation about some directions, while some linear ones are free or forces",
      "control all three angular directions, or motions along x, y and z")
  end
end

-- An error within the tolerance counts as none: where rest, or no contact, is within it, nothing is ever commanded.
local function check_rest(self, task, path)
  for k, d in ipairs(task.direction) do
    local most = math.abs(d.value) + math.abs(d.amplitude)
    local moves = d.kind == "ACHD_VELOCITY"
    if (moves or d.kind == "ACHD_FORCE") and most > 0 and d.tolerance >= most then
      local word = moves and "velocity" or k > 3 and "moment" or "force"
      self:fail(join(path, directions[k], "tolerance"),
        'the tolerance ' .. d.tolerance .. ' of direction "' .. directions[k] .. '" takes ' ..
        (moves and "rest" or "no contact") .. " for its " .. word .. " of " .. most .. ", so that nothing is commanded",
          "give a tolerance below the " .. word)
    end
  end
end

-- What could never end as it says: a goal that is not reached, a contact that counts as lost while it is as wanted.
local function check_goal(self, task, path)
  local x = task.direction[1]
  if task.goal_area == 0 then return end
  if x.kind == "ACHD_FREE" or x.kind == "ACHD_ACCELERATION" then
    self:fail(path, 'the task has a goal, but direction "x", which leads there, is ' ..
      (x.kind == "ACHD_FREE" and "free" or "a given acceleration"),
      "give x a velocity, a position or a force, or leave goal_area out")
  end
  if x.kind == "ACHD_VELOCITY" and (x.value < 0 or x.value + x.amplitude <= 0) then
    self:fail(join(path, "x"), 'direction "x" has a goal, but no velocity towards it',
      "give a positive velocity: along x it always leads to the goal, from either side")
  end
  if x.kind == "ACHD_POSITION" and math.abs(x.value) > task.goal_area then
    self:fail(join(path, "x", "position"), 'direction "x" is kept out of the goal area',
      "give a position within the goal area, " .. task.goal_area .. " m from 0")
  end
  for k = 1, 3 do
    local d = task.direction[k]
    if d.kind == "ACHD_POSITION" and d.tolerance == 0 then
      self:fail(join(path, directions[k], "tolerance"),
        'direction "' .. directions[k] ..
        '" has a goal, but no tube: a measured position is never within a tolerance of 0',
        "give a tolerance above 0 [m]")
    end
  end
end

-- What may be meant, but seldom is.
local function check_odd(self, task, path)
  local x, way, named = task.direction[1], 0, true
  for _, frame in ipairs(task.frames) do
    named = named and frame.way ~= nil
    way = way + math.max(0, (frame.way or 0) - task.goal_area)
  end
  local least = way / (x.value + math.max(0, x.amplitude) + x.tolerance)
  if task.goal_area > 0 and x.kind == "ACHD_FORCE" then
    self:warn(join(path, "x"),
      'a force along "x" leads to the goal only if what the tool pushes gives way: a velocity or a position leads ' ..
      'there by itself')
  end
  if task.goal_area > 0 and x.kind == "ACHD_VELOCITY" and named and least > task.time then
    self:warn(join(path, "stop_when", "time"),
      string.format("the task stops after %g s, and the way to its goal takes %.3g s or more", task.time, least))
  end
  if task.horizon > 0 then return end
  for k, d in ipairs(task.direction) do
    local driven = d.law == "ACHD_LAW_ABAG"
    if driven and (d.kind == "ACHD_POSITION" or d.kind == "ACHD_ORIENTATION") then
      local name = d.kind == "ACHD_POSITION" and directions[k] or "orientation"
      return self:warn(join(path, name),
        '"' .. name .. '" is not damped without a "prediction": a tool with little friction oscillates until ' ..
        'a limit stops it')
    end
  end
end

local lasting = 0.5 -- [s]: docs/experiments.md has what came of longer ones

-- A time, or a time and whether the pose is predicted with the solver's acceleration, too.
local function read_prediction(self, task, raw, path)
  local given = raw.prediction
  task.horizon, task.accelerated = 0.0, false
  if given == nil then return end
  if type(given) ~= "table" then
    task.horizon = not_negative(self, given, path, "a horizon [s]")
    return
  end
  self:known(given, {"time", "acceleration"}, path)
  task.horizon = not_negative(self, given.time, join(path, "time"), "a horizon [s]")
  if given.acceleration == nil then return end
  local at = join(path, "acceleration")
  task.accelerated = self:expect(given.acceleration, "boolean", at)
  if not task.accelerated then return end
  if task.horizon == 0 then
    self:fail(at, "nothing is predicted over a time of 0", "give a time above 0, or leave the acceleration out")
  end
  if raw.object ~= nil then
    self:fail(at, "how an object accelerates is not known", "leave the acceleration out, or the object")
  end
  if task.horizon > lasting then
    self:warn(join(path, "time"),
      string.format("accelerations do not last for %g s: a tool that is predicted by them over more than %g s may " ..
        "stand still or swing", task.horizon, lasting))
  end
  for k, d in ipairs(task.direction) do
    if (d.smooth or d.law ~= "ACHD_LAW_ABAG") and (d.kind == "ACHD_POSITION" or d.kind == "ACHD_ORIENTATION") then
      self:fail(at, 'the acceleration is for ABAG controllers, and "' ..
        (d.kind == "ACHD_POSITION" and directions[k] or "orientation") ..
        (d.smooth and '" is smooth' or '" has another'),
        "leave the acceleration out, or give that an abag")
    end
  end
end

local most_objects = 8 -- ACHD_TASK_OBJECTS of runtime/achd/task.h

-- The number of the object in whose frame the task is given, by the list of all that the description names; 0: the
-- base.
local function read_object(self, raw, path, objects)
  if raw.object == nil then return 0 end
  local name = self:identifier(raw.object, join(path, "object"))
  for k, known in ipairs(objects) do
    if known == name then return k end
    if known:upper() == name:upper() then
      self:fail(join(path, "object"), 'objects "' .. known .. '" and "' .. name .. '" both become ' .. name:upper(),
        "give each its own name, or both the same")
    end
  end
  if #objects == most_objects then
    self:fail(join(path, "object"), "the tasks name more than " .. most_objects .. " objects",
      "name fewer in one description")
  end
  objects[#objects + 1] = name
  return #objects
end

local function read_task(self, wrapped, path, objects)
  if type(wrapped) ~= "table" or wrapped.formalism ~= "move_compliantly" then
    self:fail(path, "this is not a task", "write move_compliantly { ... }")
  end
  local raw = wrapped.task
  self:expect(raw, "table", path, "a task: move_compliantly { ... }")
  self:known(raw, words, path)
  if raw.name == nil then self:fail(path, "the task has no name", 'give it one: name = "cruise"') end
  local task = {name = self:identifier(raw.name, join(path, "name")), direction = {},
    frames = Frames.read(self, raw, path)}
  local wanted = raw.orientation ~= nil
  for k, name in ipairs(directions) do
    wanted = wanted or raw[name] ~= nil
    task.direction[k] = raw[name] == nil and Law.free() or read_direction(self, raw[name], name, join(path, name))
  end
  if not wanted then
    self:fail(path, 'task "' .. task.name .. '" has no set-points',
      "give a set-point for a direction: " .. table.concat(directions, ", ", 1, 5) .. " or " .. directions[6])
  end
  read_orientation(self, task, raw, path)
  task.force_axes = Frames.identity
  if raw.force_frame ~= nil then
    local at = join(path, "force_frame")
    self:expect(raw.force_frame, "table", at, "axes in the tool frame: { R = {..} }")
    self:known(raw.force_frame, {"R"}, at)
    task.force_axes = rotation(self, raw.force_frame.R, join(at, "R"))
  end
  read_prediction(self, task, raw, join(path, "prediction"))
  Stop.read(self, task, raw.stop_when, path)
  check_turned(self, task, path)
  check_rest(self, task, path)
  check_goal(self, task, path)
  Stop.check(self, task, path)
  check_odd(self, task, path)
  task.object = read_object(self, raw, path, objects)
  Frames.read_sections(self, task)
  return task
end

local Task = {}

-- The description, checked: {name, tasks}. One task alone, or a set: { name = ..., tasks = { move_compliantly {..} } }.
function Task.read(raw, sources)
  local self = setmetatable({raw = raw, sources = sources, what = "the tasks"}, Reader)
  if type(raw) ~= "table" then
    self:fail({}, "the description is not a table", "end it with: return move_compliantly { ... }")
  end
  if raw.formalism then
    local objects = {}
    local task = read_task(self, raw, {}, objects)
    return {name = task.name, tasks = {task}, objects = objects}
  end
  self:known(raw, {"name", "tasks"}, {})
  if raw.name == nil then self:fail({}, "the tasks have no name together", 'give it: name = "cleaning"') end
  local set, seen = {name = self:identifier(raw.name, {"name"}), tasks = {}, objects = {}}, {}
  for k, task in ipairs(self:list(raw.tasks, {"tasks"}, "tasks")) do
    local path = {"tasks", k}
    set.tasks[k] = read_task(self, task, path, set.objects)
    local name = set.tasks[k].name
    if seen[name:upper()] then
      self:fail(join(path, "name"), 'two tasks are named "' .. name .. '"', "give each its own name")
    end
    seen[name:upper()] = true
  end
  if #set.tasks == 0 then
    self:fail({"tasks"}, "there are no tasks", "list them: tasks = { move_compliantly { ... } }")
  end
  return set
end

return Task
