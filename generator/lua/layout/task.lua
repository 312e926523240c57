-- task.lua: what a description of tasks says, checked and completed: per direction a velocity, a position, a force
-- or nothing (task frame formalism); frames from points; when to stop. Lengths are in m, angles in rad.

local spatial = require "spatial"
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
  linear = {velocity = "ACHD_VELOCITY", position = "ACHD_POSITION", force = "ACHD_FORCE"},
  angular = {velocity = "ACHD_VELOCITY", moment = "ACHD_FORCE", force_direction = "ACHD_FORCE_DIRECTION"},
}
local kind_words = {
  linear = {"velocity", "position", "force"}, angular = {"velocity", "moment", "force_direction"},
}

local positive, not_negative, numbers = Numbers.positive, Numbers.not_negative, Numbers.list

local dot, cross = spatial.dot, spatial.cross
local function unit(a) return (1 / math.sqrt(dot(a, a))) * a end

-- ---- frames ----

local identity = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}
local rounded = 0.02 -- figures with three digits are off a rotation by less

-- Three rows of three; made orthonormal, since figures are rounded. As nine numbers by rows.
local function rotation(self, value, path)
  local rows = self:list(value, path, "three rows of three numbers")
  if #rows ~= 3 then
    self:fail(path, '"' .. path[#path] .. '" has ' .. #rows .. " rows, not 3",
      "write { {1, 0, 0}, {0, 1, 0}, {0, 0, 1} }")
  end
  local r = {}
  for i = 1, 3 do r[i] = spatial.vector(numbers(self, rows[i], 3, join(path, i), "three numbers")) end
  local z = cross(r[1], r[2])
  local worst = 0
  for i = 1, 3 do
    worst = math.max(worst, math.abs(z[i] - r[3][i]), math.abs(dot(r[i], r[i]) - 1), math.abs(dot(r[i], r[i % 3 + 1])))
  end
  if worst > rounded then
    self:fail(path, '"' .. path[#path] .. '" is not a rotation matrix',
      "its rows are unit vectors at right angles, right-handed")
  end
  local x = unit(r[1])
  local y = unit(r[2] - dot(x, r[2]) * x)
  z = cross(x, y)
  return {x[1], x[2], x[3], y[1], y[2], y[3], z[1], z[2], z[3]}
end

-- x from one point to the other, z as upright as can be, the origin at the second.
local function frame_along(self, from, to, path)
  local along = to - from
  if dot(along, along) < 1e-12 then self:fail(path, "two points one after the other are the same", "leave one out") end
  local x = unit(along)
  local up = math.abs(x[3]) < 0.999 and {0, 0, 1} or {0, 1, 0}
  local y = unit(cross(up, x))
  local z = cross(x, y)
  return {p = to, R = {x[1], y[1], z[1], x[2], y[2], z[2], x[3], y[3], z[3]}, way = math.sqrt(dot(along, along))}
end

local function point(self, value, path)
  if value == nil then
    self:fail(path, '"' .. path[#path] .. '" is missing', "give a point: { x, y, z } in the base frame [m]")
  end
  return spatial.vector(numbers(self, value, 3, path, "a point: { x, y, z } in the base frame [m]"))
end

local function read_path(self, raw, path)
  self:expect(raw, "table", path, "a path: { from = {..}, through = { {..}, .. } }")
  self:known(raw, {"from", "through"}, path)
  local before = point(self, raw.from, join(path, "from"))
  local through = self:list(raw.through, join(path, "through"), "points")
  if #through == 0 then
    self:fail(join(path, "through"), "the path has no points", "list them: through = { { x, y, z } }")
  end
  local frames = {}
  for k, p in ipairs(through) do
    local at = join(path, "through", k)
    local here = point(self, p, at)
    frames[k] = frame_along(self, before, here, at)
    before = here
  end
  return frames
end

local function read_frames(self, raw, path)
  if raw.path ~= nil and raw.motion_frame ~= nil then
    self:fail(join(path, "path"), "both a path and a motion frame", "leave one out: a path makes its frames")
  end
  if raw.path ~= nil then return read_path(self, raw.path, join(path, "path")) end
  local frame, at = raw.motion_frame, join(path, "motion_frame")
  if frame == nil then
    self:fail(path, "the task has no motion frame",
      "give motion_frame = { p = {..}, R = {..} } or { from = {..}, to = {..} }, or a path")
  end
  self:expect(frame, "table", at, "a frame: { p = {..}, R = {..} }")
  self:known(frame, {"p", "R", "from", "to"}, at)
  if frame.from ~= nil or frame.to ~= nil then
    if frame.p ~= nil or frame.R ~= nil then
      self:fail(at, "a frame by two points has no p and no R", "leave them out")
    end
    return {frame_along(self, point(self, frame.from, join(at, "from")), point(self, frame.to, join(at, "to")), at)}
  end
  return {{
    p = point(self, frame.p, join(at, "p")),
    R = frame.R == nil and identity or rotation(self, frame.R, join(at, "R")),
  }}
end

-- ---- directions ----

local abag_words = "alpha, bias threshold, bias step, gain threshold, gain step"

local function limits(self, raw, word, path, default)
  if raw[word] == nil then return default end
  local r = numbers(self, raw[word], 2, join(path, word), "{ lower, upper }")
  if r[1] > r[2] then
    self:fail(join(path, word), '"' .. word .. '" has its lower limit above the upper', "write { lower, upper }")
  end
  return r
end

-- A channel that commands 0 whatever the error. Its low-passed sign does not exceed 1, so that with a threshold of 1,
-- or a step of 0, bias and gain stay where they begin: at 0, or at the limit that is nearest to it.
local function check_drive(self, raw, path, abag)
  local _, bias_threshold, bias_step, gain_threshold, gain_step, b1, b2, g1, g2, u1, u2 = table.unpack(abag)
  local bias = b1 > 0 or b2 < 0 or bias_step > 0 and bias_threshold < 1 and b2 > b1
  local gain = g1 > 0 or g2 < 0 or gain_step > 0 and gain_threshold < 1 and g2 > 0
  if u1 == 0 and u2 == 0 then
    self:fail(join(path, "u"), '"u" leaves no command but 0', "give { lower, upper } with something between them")
  end
  if not bias and not gain then
    self:fail(raw.abag and join(path, "abag") or path,
      "this controller commands 0 whatever the error: neither its bias nor its gain ever grows",
      "give a step above 0 with a threshold below 1 to the bias or to the gain, and limits that let it grow")
  end
end

local smooth_words = {"rate", "damping", "speed"}
local smooth_numbers = {
  rate = "how fast errors fade: above 0 [1/s]", damping = "a damping above 0 [N s/m, N m s/rad]",
  speed = "a speed above 0, the largest where nothing is touched [m/s, rad/s]",
}

-- The law without steps (achd/smooth.h): smooth = true, or its numbers; what is left out is the runtime's default, 0.
local function read_smooth(self, raw, path, d)
  local at = join(path, "smooth")
  for _, word in ipairs {"abag", "bias", "gain", "u"} do
    if raw[word] ~= nil then
      self:fail(join(path, word), '"' .. word .. '" beside "smooth"', "leave one out: a direction has one law")
    end
  end
  if d.kind == "ACHD_FORCE_DIRECTION" then
    self:fail(at, 'a "force_direction" has no smooth law', "give abag = { " .. abag_words .. " }")
  end
  d.smooth = true
  if raw.smooth == true then return end
  self:expect(raw.smooth, "table", at, "true, or { rate = .. }")
  self:known(raw.smooth, smooth_words, at)
  for _, word in ipairs(smooth_words) do
    if raw.smooth[word] ~= nil then
      if word ~= "rate" and d.kind ~= "ACHD_FORCE" then
        self:fail(join(at, word), '"' .. word .. '" is for forces and moments', "leave it out")
      end
      d[word] = positive(self, raw.smooth[word], join(at, word), smooth_numbers[word])
    end
  end
end

-- largest, and what drives the channel: the five numbers of the literature's tables, then the limits. Beside the five,
-- hold = true keeps the bias where the channel's own limits cut its command (achd/abag.h).
local function read_drive(self, raw, path, d)
  d.largest = positive(self, raw.largest, join(path, "largest"), "the command at u = 1: m/s^2, rad/s^2, N or N m")
  local at = join(path, "abag")
  if raw.smooth ~= nil and raw.smooth ~= false then return read_smooth(self, raw, path, d) end
  if raw.abag == nil then
    self:fail(path, '"abag" is missing', "give { " .. abag_words .. " }, or smooth = true")
  end
  local five = raw.abag
  if type(five) == "table" and five.hold ~= nil then
    d.hold = self:expect(five.hold, "boolean", join(at, "hold"))
    five = {}
    for k, x in pairs(raw.abag) do
      if k ~= "hold" then five[k] = x end
    end
  end
  d.abag = numbers(self, five, 5, at, abag_words)
  for k, x in ipairs(d.abag) do
    if x < 0 or k == 1 and x >= 1 then
      self:fail(join(at, k), "number " .. k .. ' of "abag" is ' .. x,
        "alpha is at least 0 and below 1, the others are at least 0")
    end
  end
  for _, word in ipairs {"bias", "gain", "u"} do
    local l = limits(self, raw, word, path, word == "gain" and {0.0, 1.0} or {-1.0, 1.0})
    d.abag[#d.abag + 1], d.abag[#d.abag + 2] = l[1], l[2]
  end
  check_drive(self, raw, path, d.abag)
end

local function free() -- as every field must be there
  return {
    kind = "ACHD_FREE", value = 0, amplitude = 0, wave = 0, tolerance = 0, largest = 0,
    abag = {0, 0, 0, 0, 0, -1, 1, 0, 1, -1, 1}, hold = false, smooth = false, rate = 0, damping = 0, speed = 0,
  }
end

local function read_direction(self, raw, name, path)
  local group = #name == 1 and "linear" or "angular"
  local d = free()
  self:expect(raw, "table", path, "a direction: { velocity = ..., tolerance = ... }")
  local known = {"tolerance", "largest", "abag", "smooth", "bias", "gain", "u", "wave", table.unpack(kind_words[group])}
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
  d.tolerance = not_negative(self, raw.tolerance, join(path, "tolerance"), "a tolerance of 0 or more")
  if raw.wave ~= nil then
    local at = join(path, "wave")
    if said ~= "velocity" then self:fail(at, "a wave needs a velocity", "leave it out") end
    self:expect(raw.wave, "table", at, "a wave over x: { amplitude = ..., number = ... }")
    self:known(raw.wave, {"amplitude", "number"}, at)
    d.amplitude = self:expect(raw.wave.amplitude, "number", join(at, "amplitude")) + 0.0
    d.wave = self:expect(raw.wave.number, "number", join(at, "number")) + 0.0
  end
  read_drive(self, raw, path, d)
  return d
end

-- One tolerance for all the directions that it is about.
local function read_orientation(self, task, raw, path)
  task.orientation, task.orientation_tolerance = task.frames[1].R, 0
  if raw.orientation == nil then return end
  local o, at = raw.orientation, join(path, "orientation")
  self:expect(o, "table", at, "an orientation: { tolerance = ... }")
  self:known(o, {"R", "tolerance", "about", "largest", "abag", "smooth", "bias", "gain", "u"}, at)
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
    local d = free()
    d.kind = "ACHD_ORIENTATION"
    read_drive(self, o, at, d)
    task.direction[k] = d
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
  if x.kind == "ACHD_FREE" then
    self:fail(path, 'the task has a goal, but direction "x", which leads there, is free',
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
    if d.kind == "ACHD_POSITION" or d.kind == "ACHD_ORIENTATION" then
      local name = d.kind == "ACHD_POSITION" and directions[k] or "orientation"
      return self:warn(join(path, name),
        '"' .. name .. '" is not damped without a "prediction": a tool with little friction swings to and fro until ' ..
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
      string.format("accelerations do not last for %g s: a tool that is predicted by them over more than %g s may stand " ..
        "still or swing", task.horizon, lasting))
  end
  for k, d in ipairs(task.direction) do
    if d.smooth and (d.kind == "ACHD_POSITION" or d.kind == "ACHD_ORIENTATION") then
      self:fail(at, 'the acceleration is for ABAG controllers, and "' ..
        (d.kind == "ACHD_POSITION" and directions[k] or "orientation") .. '" is smooth',
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
    frames = read_frames(self, raw, path)}
  local wanted = raw.orientation ~= nil
  for k, name in ipairs(directions) do
    wanted = wanted or raw[name] ~= nil
    task.direction[k] = raw[name] == nil and free() or read_direction(self, raw[name], name, join(path, name))
  end
  if not wanted then
    self:fail(path, 'task "' .. task.name .. '" has no set-points',
      "give a set-point for a direction: " .. table.concat(directions, ", ", 1, 5) .. " or " .. directions[6])
  end
  read_orientation(self, task, raw, path)
  task.force_axes = identity
  if raw.force_frame ~= nil then
    local at = join(path, "force_frame")
    self:expect(raw.force_frame, "table", at, "axes in the tool frame: { R = {..} }")
    self:known(raw.force_frame, {"R"}, at)
    task.force_axes = rotation(self, raw.force_frame.R, join(at, "R"))
  end
  read_prediction(self, task, raw, join(path, "prediction"))
  Stop.read(self, task, raw.stop_when, path)
  check_rest(self, task, path)
  check_goal(self, task, path)
  Stop.check(self, task, path)
  check_odd(self, task, path)
  task.object = read_object(self, raw, path, objects)
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
