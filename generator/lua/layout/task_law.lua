-- SPDX-License-Identifier: MIT
-- task_law.lua: what drives a direction of a task: the five numbers of ABAG, the law without steps, a PID, a cascade,
-- or a spring with a damper; what of their numbers could never command anything.

local Numbers = require "task_numbers"
local Reader = require "reader"
local join = Reader.join
local positive, not_negative, numbers = Numbers.positive, Numbers.not_negative, Numbers.list

local Law = {}

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

local laws = {"abag", "smooth", "pid", "cascade", "impedance"}

-- A law stands alone, without another and without what limits ABAG.
local function alone(self, raw, path, said)
  for _, word in ipairs {"abag", "bias", "gain", "u", table.unpack(laws, 2)} do
    if word ~= said and raw[word] ~= nil and raw[word] ~= false then
      self:fail(join(path, word), '"' .. word .. '" beside "' .. said .. '"',
        "leave one out: a direction has one law")
    end
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
  alone(self, raw, path, "smooth")
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

-- A controller whose command follows the error, with its gains (achd/pid.h, achd/task.h).
local other = {}

function other.pid(self, raw, at, d)
  local what = "a gain of 0 or more"
  self:known(raw, {"proportional", "integral", "derivative", "filter"}, at)
  local gains = {law = "ACHD_LAW_PID"}
  for _, word in ipairs {"proportional", "integral", "derivative"} do
    gains[word] = raw[word] == nil and 0.0 or not_negative(self, raw[word], join(at, word), what)
  end
  gains.limit = raw.filter == nil and 0.0 or
    not_negative(self, raw.filter, join(at, "filter"), "a time constant of 0 or more [s]")
  if gains.proportional == 0 and gains.integral == 0 then
    self:fail(at, "this controller commands 0 whatever the error that stays: it has no gain but that of the derivative",
      "give proportional or integral above 0")
  end
  if d.kind == "ACHD_FORCE" and gains.integral == 0 then
    self:fail(at, "a force by a proportional gain alone is never reached", "give integral above 0")
  end
  return gains
end

-- Of motions; of a velocity the inner half alone.
local function only_motions(self, at, word, d)
  if d.kind == "ACHD_FORCE" or d.kind == "ACHD_FORCE_DIRECTION" then
    self:fail(at, '"' .. word .. '" is for velocities, positions and orientations', "give pid or abag")
  end
  return d.kind == "ACHD_VELOCITY"
end

local function not_of_velocity(self, raw, at, words)
  for _, word in ipairs(words) do
    if raw[word] ~= nil then
      self:fail(join(at, word), '"' .. word .. '" is for positions and orientations', "leave it out")
    end
  end
end

function other.cascade(self, raw, at, d)
  self:known(raw, {"position", "velocity", "speed"}, at)
  local gains = {law = "ACHD_LAW_CASCADE", proportional = 0.0, integral = 0.0, limit = 0.0}
  if only_motions(self, at, "cascade", d) then
    not_of_velocity(self, raw, at, {"position", "speed"})
  else
    gains.proportional = positive(self, raw.position, join(at, "position"), "the outer gain, above 0 [1/s]")
    gains.limit = positive(self, raw.speed, join(at, "speed"), "the largest speed, above 0 [m/s, rad/s]")
  end
  gains.derivative = positive(self, raw.velocity, join(at, "velocity"), "the inner gain, above 0 [1/s]")
  return gains
end

function other.impedance(self, raw, at, d)
  self:known(raw, {"stiffness", "damping"}, at)
  local gains = {law = "ACHD_LAW_IMPEDANCE", proportional = 0.0, integral = 0.0, limit = 0.0}
  if only_motions(self, at, "impedance", d) then
    not_of_velocity(self, raw, at, {"stiffness"})
  else
    gains.proportional =
      positive(self, raw.stiffness, join(at, "stiffness"), "a stiffness above 0 [N/m, N m/rad]")
  end
  gains.derivative = positive(self, raw.damping, join(at, "damping"), "a damping above 0 [N s/m, N m s/rad]")
  return gains
end

-- True if the direction has one of them.
local function read_other(self, raw, path, d)
  for _, word in ipairs {"pid", "cascade", "impedance"} do
    if raw[word] ~= nil then
      alone(self, raw, path, word)
      local at = join(path, word)
      self:expect(raw[word], "table", at, "a table of its gains")
      d.gains = other[word](self, raw[word], at, d)
      d.law = d.gains.law
      return true
    end
  end
  return false
end

local most_order = 4 -- ACHD_ABAG_ORDER of runtime/achd/abag.h

-- hold and order, which may stand beside the five numbers; these without them.
local function read_options(self, raw, at, d)
  if type(raw) ~= "table" or raw.hold == nil and raw.order == nil then return raw end
  if raw.hold ~= nil then d.hold = self:expect(raw.hold, "boolean", join(at, "hold")) end
  if raw.order ~= nil then
    local n = self:expect(raw.order, "number", join(at, "order"))
    if n ~= math.floor(n) or n < 1 or n > most_order then
      self:fail(join(at, "order"), '"order" is ' .. raw.order,
        "give how many low-passes there are, 1 to " .. most_order)
    end
    d.order = math.tointeger(n)
  end
  local five = {}
  for k, x in pairs(raw) do
    if k ~= "hold" and k ~= "order" then five[k] = x end
  end
  return five
end

-- largest, and what drives the channel: the five numbers of the literature's tables, then the limits. Beside the five,
-- hold = true keeps the bias where the channel's own limits cut its command (achd/abag.h).
function Law.read(self, raw, path, d)
  d.largest = positive(self, raw.largest, join(path, "largest"), "the command at u = 1: m/s^2, rad/s^2, N or N m")
  local at = join(path, "abag")
  if raw.smooth ~= nil and raw.smooth ~= false then return read_smooth(self, raw, path, d) end
  if read_other(self, raw, path, d) then return end
  if raw.abag == nil then
    self:fail(path, '"abag" is missing', "give { " .. abag_words .. " }, or smooth = true")
  end
  local five = read_options(self, raw.abag, at, d)
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

-- A direction that nothing drives, as every field must be there.
function Law.free()
  return {
    kind = "ACHD_FREE", value = 0, amplitude = 0, wave = 0, tolerance = 0, largest = 0,
    abag = {0, 0, 0, 0, 0, -1, 1, 0, 1, -1, 1}, hold = false, order = 0,
    smooth = false, rate = 0, damping = 0, speed = 0,
    law = "ACHD_LAW_ABAG", gains = {proportional = 0, derivative = 0, integral = 0, limit = 0},
  }
end

Law.words = {"largest", "bias", "gain", "u", table.unpack(laws)}

return Law
