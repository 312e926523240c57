-- SPDX-License-Identifier: MIT
-- task_stop.lua: when a task ends: goal area, time, contacts by force, by direction and by velocity, alignment; and
-- what of these could never be, or would be at once.

local Numbers = require "task_numbers"
local Reader = require "reader"
local join = Reader.join
local positive, not_negative = Numbers.positive, Numbers.not_negative

local directions = {"x", "y", "z", "rx", "ry", "rz"}
local most_samples = 32 -- ACHD_TASK_SAMPLES of runtime/achd/task.h

local Stop = {}

local axes = {x = 1, y = 2, z = 3, rx = 4, ry = 5, rz = 6}

local function read_duration(self, raw, path)
  return raw.duration == nil and 0.0 or not_negative(self, raw.duration, join(path, "duration"), "a time [s]")
end

local function read_contact(self, raw, path, never)
  if raw == nil then return {force = never, duration = 0.0} end
  self:expect(raw, "table", path, "a contact: { force = ..., duration = ... }")
  self:known(raw, {"force", "duration"}, path)
  return {
    force = positive(self, raw.force, join(path, "force"), "a force [N]"), duration = read_duration(self, raw, path),
  }
end

-- Contact by velocity: { axis = "z", velocity = ..., samples = ... }.
local function read_standstill(self, raw, path)
  self:known(raw, {"axis", "velocity", "samples"}, path)
  if raw.axis ~= nil then self:one_of(raw.axis, {"x", "y", "z"}, join(path, "axis")) end
  local at = join(path, "samples")
  if raw.samples == nil then
    self:fail(path, '"samples" is missing', "give the number of cycles that the mean is of, 1 to " .. most_samples)
  end
  self:expect(raw.samples, "number", at)
  if raw.samples ~= math.floor(raw.samples) or raw.samples < 1 or raw.samples > most_samples then
    self:fail(at, '"samples" is ' .. raw.samples, "give a number of cycles from 1 to " .. most_samples)
  end
  return {
    velocity = positive(self, raw.velocity, join(path, "velocity"), "the mean velocity below which it stands [m/s]"),
    samples = math.tointeger(raw.samples), axis = axes[raw.axis or "z"] - 1,
  }
end

-- One way of noticing a contact, into task.contact, task.along or task.standstill.
local function read_one_contact(self, task, raw, path, said)
  self:expect(raw, "table", path, "a contact: { force = ..., duration = ... }")
  local by = raw.velocity ~= nil and "velocity" or raw.axis or "force"
  if said[by] then self:fail(path, 'two contacts are by "' .. by .. '"', "leave one out") end
  said[by] = true
  if raw.velocity ~= nil then
    task.standstill = read_standstill(self, raw, path)
  elseif raw.axis == nil then
    task.contact = read_contact(self, raw, path, math.huge)
  else
    self:known(raw, {"axis", "force", "moment", "duration"}, path)
    self:one_of(raw.axis, directions, join(path, "axis"))
    local word, other = "force", "moment"
    if #raw.axis == 2 then word, other = other, word end
    if raw[other] ~= nil then
      self:fail(join(path, other), 'a contact along "' .. raw.axis .. '" has no ' .. other, "give its " .. word)
    end
    task.along[axes[raw.axis]] = {
      force = positive(self, raw[word], join(path, word), word == "force" and "a force [N]" or "a moment [N m]"),
      duration = read_duration(self, raw, path),
    }
  end
end

-- contact = { .. } or { { .. }, { .. } }: what comes first counts.
local function read_contacts(self, task, raw, path)
  task.contact, task.along = read_contact(self, nil, path, math.huge), {}
  for k = 1, 6 do task.along[k] = {force = 0.0, duration = 0.0} end
  task.standstill = {velocity = 0.0, samples = 0, axis = 0}
  if raw == nil then return end
  if type(raw) == "table" and raw[1] ~= nil then
    local said = {}
    for k, one in ipairs(self:list(raw, path, "contacts")) do
      read_one_contact(self, task, one, join(path, k), said)
    end
  else
    read_one_contact(self, task, raw, path, {})
  end
end

-- aligned = { duration = .., within = .., time = .. }: all forces, moments and directions of the force within so many
-- times their tolerances.
local function read_aligned(self, task, raw, path)
  task.alignment = {duration = 0.0, time = 0.0, within = 0.0}
  if raw == nil then return end
  self:expect(raw, "table", path, "an alignment: { duration = ..., time = ... }")
  self:known(raw, {"duration", "time", "within"}, path)
  local what = "the time for which all forces and moments are within their tolerances [s]"
  local duration = positive(self, raw.duration, join(path, "duration"), what)
  local time = raw.time == nil and math.huge or positive(self, raw.time, join(path, "time"), "a time [s]")
  if time <= duration then
    self:fail(join(path, "time"), "the alignment is to last " .. duration .. " s, and to be so within " .. time .. " s",
      "give a time above the duration")
  end
  local within = raw.within == nil and 1.0 or
    positive(self, raw.within, join(path, "within"), "how many times the tolerances errors may be")
  local presses = false
  for _, d in ipairs(task.direction) do
    presses = presses or d.kind == "ACHD_FORCE" or d.kind == "ACHD_FORCE_DIRECTION"
  end
  if not presses then
    self:fail(path, "the task aligns nothing: no direction has a force, a moment or a force_direction",
      "give one, or leave \"aligned\" out")
  end
  task.alignment = {duration = duration, time = time, within = within}
end

-- stop_when, into the task.
function Stop.read(self, task, raw, path)
  local at = join(path, "stop_when")
  if raw == nil then
    self:fail(path, "the task does not say when it stops",
      "give stop_when = { time = ... }, or a goal area, or a contact")
  end
  self:expect(raw, "table", at, "a table: { goal_area = ..., time = ... }")
  self:known(raw, {"goal_area", "time", "contact", "no_contact", "contact_x_y", "aligned"}, at)
  task.goal_area = raw.goal_area == nil and 0.0 or
    positive(self, raw.goal_area, join(at, "goal_area"), "a distance along x [m]")
  task.time = raw.time == nil and math.huge or positive(self, raw.time, join(at, "time"), "a time [s]")
  read_contacts(self, task, raw.contact, join(at, "contact"))
  task.lost = read_contact(self, raw.no_contact, join(at, "no_contact"), 0.0)
  task.across = read_contact(self, raw.contact_x_y, join(at, "contact_x_y"), 0.0)
  read_aligned(self, task, raw.aligned, join(at, "aligned"))
  if next(raw) == nil then self:fail(at, "the task never stops", "give a goal area, a time or a contact") end
  if #task.frames > 1 and task.goal_area == 0 then
    self:fail(at, "the path has waypoints but no goal area",
      "give goal_area: the distance from a waypoint at which the next begins [m]")
  end
end

local function check_contacts(self, task, path)
  local square, pressed = 0, false
  for k = 1, 3 do
    local d = task.direction[k]
    if d.kind == "ACHD_FORCE" then
      pressed = true
      square = square + math.max(0, math.abs(d.value) - d.tolerance) ^ 2
    end
  end
  local least, at = math.sqrt(square), join(path, "stop_when")
  if pressed and task.lost.force > least then
    self:fail(join(at, "no_contact", "force"),
      "the contact counts as lost below " .. task.lost.force .. " N, and the task presses with as little as " ..
      least .. " N", "give a force below the one that the task presses with")
  end
  if pressed and task.contact.force <= least then
    self:fail(join(at, "contact", "force"),
      "the task stops at a contact of " .. task.contact.force .. " N, and presses with at least " .. least .. " N",
      "give a force above the one that the task presses with, or leave it out")
  end
  for k = 1, 6 do
    local d, threshold = task.direction[k], task.along[k].force
    local presses = d.kind == "ACHD_FORCE" and math.abs(d.value) - d.tolerance or 0
    if threshold > 0 and threshold <= presses then
      self:fail(join(at, "contact"),
        "the task stops at a contact of " .. threshold .. ' along "' .. directions[k] ..
        '", and presses there with at least ' .. presses, "give more than it presses with, or leave it out")
    end
  end
end

-- Rest is detected by a mean velocity below the threshold, once it has been twice as large.
local function check_standstill(self, task, path)
  local rule = task.standstill
  local d = task.direction[rule.axis + 1]
  local at = join(path, "stop_when", "contact")
  if rule.velocity == 0 then return end
  if d.kind ~= "ACHD_VELOCITY" then
    self:fail(at, 'the contact is by the velocity along "' .. directions[rule.axis + 1] .. '", where the task has none',
      "name an axis along which the tool moves until it touches")
  end
  local most = math.abs(d.value) + math.abs(d.amplitude)
  if most < 2 * rule.velocity then
    self:fail(at, 'the tool stands below ' .. rule.velocity .. ' m/s, and moves with ' .. most .. ' m/s at most',
      "give less than half of the velocity that it moves with")
  end
end

function Stop.check(self, task, path)
  check_contacts(self, task, path)
  check_standstill(self, task, path)
end

return Stop
