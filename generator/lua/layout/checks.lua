-- SPDX-License-Identifier: MIT
-- checks.lua: what has to agree between the words of a layout, the robot, and the names that headers define.

local Reader = require "reader"
local Groups = require "groups"
local Outputs = require "output_words"
local Tie = require "ties"
local Limbs = require "limbs"
local Reach = require "reach"

local set = Reader.set

local Checks = {}

-- The largest planet's is 25 m/s^2.
local largest_gravity = 30

function Checks.gravity(self, g)
  local size = math.sqrt(g[1] ^ 2 + g[2] ^ 2 + g[3] ^ 2)
  if size > largest_gravity then
    self:warn({"gravity"}, string.format('"gravity" is %.6g m/s^2; the earth\'s is 9.81', size))
  end
  if g[3] > 0 and g[3] >= 0.5 * size then
    self:warn({"gravity"}, '"gravity" points upwards, along z of the base: that is right where the robot hangs from ' ..
      'a ceiling')
  end
end

-- Rows that the environment holds by giving way have forces that cannot be had without motion.
function Checks.soft_contacts(self, chain, L)
  if L.realise ~= "motors" or (chain.nb == 0 and next(L.passive) == nil) then return end
  for i, g in ipairs(L.groups) do
    if g.compliance and g.kind == "physical" then
      self:fail({"groups", i, "compliance"},
        'physical group "' .. g.name .. '" is soft, and with realise = "motors" contacts must be rigid',
        'leave compliance out there, or write realise = "anything"')
    end
  end
end

-- What cannot limit torques of motors that move joints together.
function Checks.limited(self, L)
  local m = L.limited and L.limited[1]
  if not m then return end
  local path = {"motors", L.motors[m].name, "effort"}
  local alone = "give the joints limits, effort = { joint_1 = 20 }, and leave the motor's out"
  for _, g in ipairs(L.asked == "optimum" and L.joint_groups or {}) do
    for _, j in ipairs(g.coulomb and g.joints or {}) do
      if L.at_motors[j] then
        self:fail(path, 'realise = "optimum" cannot have both limits of motors that move several joints and dry ' ..
          "friction of one of these", alone .. ", or take the joint out of friction")
      end
    end
  end
end

-- Limits that the layout asks for and neither it nor the URDF gives.
function Checks.efforts(self, chain, L)
  local word = L.saturate and "saturate" or L.asked == "optimum" and "realise"
  if not word then return end
  local without = {}
  for j = 1, chain.nj do
    local at_motors = L.at_motors and L.at_motors[j]
    if not L.effort[j] and not L.passive[j] and not at_motors then
      without[#without + 1] = '"' .. chain.joint_names[j] .. '"'
    end
  end
  if #without == 0 then return end
  local names = table.concat(without, ", ", 1, math.min(#without, 8)) ..
    (#without > 8 and " and " .. #without - 8 .. " more" or "")
  self:warn({word}, '"' .. word .. '" cannot limit the torques of ' .. (#without == 1 and "joint " or "joints ") ..
    names .. ": neither the URDF nor effort in the layout gives a limit")
end

-- Feet that nothing holds: groups of which kind is not said, at the ends of legs of a base that moves.
function Checks.feet(self, chain, L)
  if chain.nb == 0 or chain.n == 0 then return end
  local legs, at, names = {}, nil, {}
  for _, limb in ipairs(Limbs.find(self.model.links, chain.frames, function(i) return chain.bodies[i].parent end,
      chain.n)) do
    for _, f in ipairs(limb.leg and chain.frames or {}) do
      if f.link == limb.link then legs[f.body] = true end
    end
  end
  for i, g in ipairs(L.groups) do
    if g.kind == "physical" then return end -- the author knows the word
    local said = self.raw.groups and self.raw.groups[i]
    if said and said.kind == nil and g.frame and legs[g.frame.body] then
      at = at or i
      names[#names + 1] = '"' .. g.name .. '"'
    end
  end
  if not at then return end
  local one = #names == 1
  self:warn({"groups", at}, (one and "group " or "groups ") .. table.concat(names, ", ", 1, math.min(#names, 8)) ..
    (#names > 8 and " and " .. #names - 8 .. " more" or "") .. (one and " is" or " are") ..
    ' at the end of a leg and artificial, as no kind is given: the base moves, and motors alone cannot hold feet ' ..
      'there (the status will say UNACTUATED); ' ..
    'write kind = "physical" for a foot that stands on something, kind = "artificial" for one that swings')
end

-- Rows that joints reach only by what rounded angles of the URDF leave of right ones.
function Checks.hardly_reached(self, chain, L)
  local robot = {
    bodies = chain.reduced.bodies, frames = chain.reduced.frames, nb = chain.nb,
    joint = function(i) return chain.bodies[i].link.joint end,
  }
  if chain.nb == 6 then return end -- which moves all rows
  local at = {}
  for _, f in ipairs(robot.frames) do at[f.link] = f end
  for i, g in ipairs(L.groups) do
    if g.frame and g.frame.body > 0 and not g.to and not g.free and g.axes ~= "input" then
      for _, row in ipairs(Reach.hardly(robot, at[g.frame.link], g.axes == "link", g.rows)) do
        self:warn({"groups", i}, string.format(
          'row "%s" of group "%s": a turn of the joints by 1 rad moves along it%s by %.1g%s at most, which ' ..
          "decimals of angles leave; forces along it will be huge: leave it out, or give angles in the URDF with " ..
          "all their digits (pi/2 is 1.5707963267948966)",
          row.name, g.name, row.across and ", across the rows before it," or "", row.length,
          row.name:sub(1, 3) == "lin" and " of the robot's size" or " rad"))
      end
    end
  end
end

-- The output "bound" is for solves whose exact answer is that of the equations of motion with what comes in, and of a
-- robot whose inertias are known.
function Checks.bound(self, chain, L)
  local at = Outputs.path_of(self, "bound")
  if not at then return end
  local function refuse(what, remedy) self:fail(at, '"bound" ' .. what, remedy) end
  local alone = "leave one of them out"
  if #chain.balls > 0 then
    refuse('does not know the rounding of ball joints, and "' .. chain.balls[1].name .. '" is one', "leave it out")
  end
  if L.bounded then refuse("cannot be used with bounded rows", "leave it out: achd_mclp_check tells how good nu is") end
  if L.saturate then
    refuse("cannot be used with saturate: it bounds the errors of the requested motion, and clamped torques " ..
      "cause another one", alone)
  end
  if L.realise ~= "anything" then
    refuse('cannot be used with realise = "' .. L.realise .. '"', "leave one of them out")
  end
  if L.gears and L.gears:couples() then
    refuse("cannot be used with transmissions whose rotors couple joints", alone)
  end
  for _, g in ipairs(L.groups) do
    if g.over == "yields" then
      refuse('cannot be used with rows that yield: what they ask for is itself a result', alone)
    end
    if g.weights then refuse("cannot be used with weights: what such rows ask for is itself a result", alone) end
    if g.to then refuse("cannot be used with rows between two frames", alone) end
    if g.compliance then refuse("cannot be used with soft rows", alone) end
  end
  if #L.inertia_inputs > 0 then
    refuse("needs inertias that are known when the header is made, and inertia_inputs gives some at run time", alone)
  end
  for _, p in ipairs(L.payloads) do
    if p.at_run_time then
      refuse("needs inertias that are known when the header is made, and the payload comes at run time", alone)
    end
  end
end

-- Joints and rows share one name space in C with what the header defines itself: NAME_JOINT, NAME_GROUP_ROW.
local own_enumerators = {
  "NJ", "NR", "OK", "DO_NOT_COMMAND", "VERSION_MAJOR", "VERSION_MINOR", "VERSION_PATCH", "JOINT_NAMES",
  "IMPLEMENTATION", "LIBM", "ANGLES", "IN_RANGE", "MOST_SQUARE", "SIZE", "K", "LOAD", "STORE", "SELECT", "PROBE",
  "PROBE_EXP",
  table.unpack(ag.status_names),
}
for _, f in ipairs(ag.functions) do
  for _, macro in ipairs {"_H", "_IMPLEMENTED", "_SHAPE", "_IN_DEFAULT", "_SPARSITY"} do
    own_enumerators[#own_enumerators + 1] = (f.name .. macro):upper()
  end
end
local of_moving_base = {
  "NB", "NV", "BASE_X", "BASE_Y", "BASE_YAW", "BASE_LIN_X", "BASE_LIN_Y", "BASE_LIN_Z", "BASE_ANG_X", "BASE_ANG_Y",
  "BASE_ANG_Z",
}
function Checks.enumerators(self, chain, L)
  local own, joints = set(own_enumerators), {}
  for _, name in ipairs(chain.nb > 0 and of_moving_base or {}) do own[name] = true end
  for _, i in ipairs(chain.leader) do
    local upper = chain.bodies[i].link.joint.id:upper()
    for _, limit in ipairs {"LOWER_", "UPPER_", "VELOCITY_", "EFFORT_"} do own[limit .. upper] = true end
  end
  for _, m in ipairs(L.motors or {}) do
    for _, word in ipairs {"MOTOR_", "VELOCITY_MOTOR_", "EFFORT_MOTOR_"} do own[word .. m.name:upper()] = true end
  end
  own.NM = L.motors ~= nil or nil
  for _, i in ipairs(chain.leader) do
    local joint = chain.bodies[i].link.joint
    local upper = joint.id:upper()
    if own[upper] then
      ag.fail_model(joint.line,
        'the name of joint "' .. joint.name .. '" becomes ' .. upper .. ", which the headers use for themselves",
        "rename the joint")
    end
    joints[upper] = joint.name
  end
  for _, g in ipairs(L.joint_groups) do
    for _, row in ipairs(g.rows) do
      local upper = (g.name .. "_" .. row):upper()
      if joints[upper] then
        ag.fail_model(0, 'joint "' .. joints[upper] .. '" and row "' .. row .. '" of ' .. g.name .. " both become " ..
          upper, "rename the joint")
      end
    end
  end
  for i, g in ipairs(L.groups) do
    for _, row in ipairs(g.rows) do
      local upper = (g.name .. "_" .. row):upper()
      if L.motors and own[upper] then
        self:fail({"groups", i, "name"}, 'row "' .. row .. '" of group "' .. g.name .. '" and a motor both become ' ..
          upper, "give the group another name")
      end
      if joints[upper] then
        self:fail({"groups", i, "name"},
          'row "' .. row .. '" of group "' .. g.name .. '" and joint "' .. joints[upper] .. '" both become ' .. upper,
          "give the group another name")
      end
    end
  end
end

function Checks.ties(self, chain, groups)
  local row = Tie.redundant(chain, groups)
  if not row then return end
  local at
  for i, g in ipairs(groups) do
    if g == row.group then at = i end
  end
  local g, name = row.group, row.group.rows[row.k]
  local why = row.alone and "no joint moves \"" .. g.to_name .. '" relative to "' .. g.frame_name .. '" along it'
    or "it follows from the rows before it"
  self:fail({"groups", at, "rows", row.k}, 'row "' .. name .. '" of tie "' .. g.name .. '" is redundant: ' .. why,
    "leave the row out")
end

-- The names of what has a contribution of its own (contributions.lua), in order.
local function source_names(L)
  local names = {"gravity", "velocity", "feed_forward"}
  for _, w in ipairs(L.wrenches) do names[#names + 1] = w.name end
  for _, g in ipairs(L.groups) do names[#names + 1] = g.name end
  return names
end

-- What does not know the acceleration of a fixed base: shares, of which it would be one more, and the bound, whose
-- errors of rounding begin at a base that stands still.
function Checks.root_acceleration(self, L)
  self:keep_name(L, "root_acc", "root_acceleration")
  if L.contributions then
    self:fail({"outputs", "contributions"}, "contributions have no share for what root_acceleration adds",
      "leave one of them out")
  end
  local at = Outputs.path_of(self, "bound")
  if at then self:fail(at, '"bound" cannot be used with root_acceleration', "leave one of them out") end
end

-- They are fields that need names of their own.
function Checks.sources(self, L)
  local seen = {}
  for _, name in ipairs(source_names(L)) do
    if seen[name] then
      self:fail({"outputs", "contributions"}, 'two sources of contributions are named "' .. name .. '"',
        "give groups and wrenches names of their own, other than gravity, velocity, feed_forward")
    end
    seen[name] = true
  end
end

-- Loads and wrenches are fields that need names of their own.
function Checks.names_of_loads(self, L)
  for _, p in ipairs(L.payloads) do
    for i, w in ipairs(L.wrenches) do
      if w.name == p.name then
        self:fail({"wrenches", i, "name"}, 'a wrench and a payload are named "' .. w.name .. '"',
          "give each its own name")
      end
    end
  end
end

-- How many rows the groups have.
function Checks.count_rows(self, L)
  local count = 0
  for _, g in ipairs(L.groups) do count = count + #g.rows end
  if count > Groups.most_rows then
    self:fail({"groups"}, count .. " rows are too many for straight-line code",
      "ask for " .. Groups.most_rows .. " at most")
  end
  return count
end

-- The output "scale" is that of saturate = "scale", and there where no outputs are named.
function Checks.scale(self, L)
  if L.saturate == "scale" then
    if self.raw.outputs == nil then L.outputs[#L.outputs + 1] = "scale" end
    return
  end
  local at = Outputs.path_of(self, "scale")
  if at then
    self:fail(at, 'the output "scale" is only there with saturate = "scale"',
      'write saturate = "scale", or leave it out')
  end
end

return Checks
