-- SPDX-License-Identifier: MIT
-- task_frames.lua: frames of a task, from points or as they are given; the sections of a path, each with the numbers of
-- its waypoint. Lengths are in m.

local spatial = require "spatial"
local Numbers = require "task_numbers"
local Reader = require "reader"
local join = Reader.join
local positive, numbers = Numbers.positive, Numbers.list

local Frames = {}

local dot, cross = spatial.dot, spatial.cross
local function unit(a) return (1 / math.sqrt(dot(a, a))) * a end

-- ---- frames ----

local identity = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}
local rounded = 0.02 -- figures with three digits are off a rotation by less

-- Three rows of three; made orthonormal, since figures are rounded. As nine numbers by rows.
function Frames.rotation(self, value, path)
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

local passes = {tube = "ACHD_PASS_TUBE", over = "ACHD_PASS_OVER", stop = "ACHD_PASS_STOP"}

-- A waypoint: a point, or a table with the numbers of the section that ends there.
local own = {"velocity", "tube", "goal_area", "prediction", "pass"}

local function read_waypoint(self, raw, at, last)
  if type(raw) ~= "table" or raw[1] ~= nil or next(raw) == nil then return point(self, raw, at), {} end
  self:known(raw, {"p", table.unpack(own)}, at)
  local numbers_of = {at = at}
  for _, word in ipairs {"velocity", "tube", "goal_area"} do
    if raw[word] ~= nil then
      numbers_of[word] = positive(self, raw[word], join(at, word), "a number above 0 [m/s, m]")
    end
  end
  if raw.prediction ~= nil then
    numbers_of.horizon = Numbers.not_negative(self, raw.prediction, join(at, "prediction"), "a horizon [s]")
  end
  if raw.pass ~= nil then
    if last then
      self:fail(join(at, "pass"), "nothing comes after the last waypoint", "leave it out: the task ends there")
    end
    numbers_of.pass = passes[self:one_of(raw.pass, {"tube", "over", "stop"}, join(at, "pass"))]
  end
  return point(self, raw.p, join(at, "p")), numbers_of
end

-- The frames, and how the tool passes from each section to the next.
local function read_path(self, raw, path)
  self:expect(raw, "table", path, "a path: { from = {..}, through = { {..}, .. } }")
  self:known(raw, {"from", "through", "pass"}, path)
  local before = point(self, raw.from, join(path, "from"))
  local through = self:list(raw.through, join(path, "through"), "points")
  if #through == 0 then
    self:fail(join(path, "through"), "the path has no points", "list them: through = { { x, y, z } }")
  end
  local pass = raw.pass == nil and "ACHD_PASS_TUBE" or
    passes[self:one_of(raw.pass, {"tube", "over", "stop"}, join(path, "pass"))]
  local frames = {}
  for k, p in ipairs(through) do
    local at = join(path, "through", k)
    local here, numbers_of = read_waypoint(self, p, at, k == #through)
    frames[k] = frame_along(self, before, here, at)
    frames[k].own, frames[k].pass = numbers_of, numbers_of.pass or k < #through and pass or "ACHD_PASS_TUBE"
    before = here
  end
  return frames
end

function Frames.read(self, raw, path)
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
    R = frame.R == nil and identity or Frames.rotation(self, frame.R, join(at, "R")),
  }}
end

local function check_section(self, task, section, numbers_of)
  local x, at = section.direction[1], numbers_of.at
  if section.pass == "ACHD_PASS_STOP" and (x.kind ~= "ACHD_VELOCITY" or x.tolerance == 0) then
    self:fail(at or {"path"},
      'the tool stops where it is as slow as the tolerance of the velocity along "x": there is none',
      'give x a velocity with a tolerance above 0, or another "pass"')
  end
  if numbers_of.velocity ~= nil then
    if x.kind ~= "ACHD_VELOCITY" then
      self:fail(join(at, "velocity"), 'the section has a velocity, and "x" has none', "leave it out")
    end
    if x.tolerance >= numbers_of.velocity + x.amplitude then
      self:fail(join(at, "velocity"),
        'the tolerance ' .. x.tolerance .. ' of direction "x" takes rest for a velocity of ' .. numbers_of.velocity,
        "give a velocity above the tolerance")
    end
  end
  if numbers_of.tube == nil then return end
  for k = 1, 3 do
    if task.direction[k].kind == "ACHD_POSITION" then return end
  end
  self:fail(join(at, "tube"), "the section has a tube, and the task no linear position", "leave it out")
end

-- A section of the path with the numbers of its waypoint.
local function section_of(task, frame)
  local section, numbers_of = {}, frame.own
  for word, value in pairs(task) do section[word] = value end
  section.pass = frame.pass
  section.goal_area = numbers_of.goal_area or task.goal_area
  section.horizon = numbers_of.horizon or task.horizon
  section.direction = {}
  for k, d in ipairs(task.direction) do
    local copy = {}
    for word, value in pairs(d) do copy[word] = value end
    if k == 1 and numbers_of.velocity then copy.value = numbers_of.velocity end
    if d.kind == "ACHD_POSITION" and numbers_of.tube then copy.tolerance = numbers_of.tube end
    section.direction[k] = copy
  end
  return section
end

-- task.sections: one for each waypoint where one has numbers of its own, else none.
function Frames.read_sections(self, task)
  local differ = false
  task.pass, task.sections = "ACHD_PASS_TUBE", {}
  for _, frame in ipairs(task.frames) do
    differ = differ or frame.pass ~= nil and frame.pass ~= "ACHD_PASS_TUBE" or frame.own and next(frame.own) ~= nil
  end
  if not differ then return end
  local sections = {}
  for k, frame in ipairs(task.frames) do
    sections[k] = section_of(task, frame)
    check_section(self, task, sections[k], frame.own)
  end
  task.sections = sections
end

Frames.identity = identity

return Frames
