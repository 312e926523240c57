-- SPDX-License-Identifier: MIT
-- transmissions.lua: what a layout says of motors that are not joints: `transmissions`, how velocities of joints make
-- those of motors, w = G qd, and `motors`, the numbers of each motor.
--
-- A joint that no transmission moves and that is not passive has a motor of its own, which has its name, and turns as
-- it does.

local Reader = require "reader"
local Gears = require "gears"
local Optimum = require "optimum"
local FileGears = require "file_gears"

local join, spelled, sorted_keys = Reader.join, Reader.spelled, Reader.sorted_keys

local Transmissions = {}

local words = {"motor", "joint", "ratio", "motors", "joints", "matrix", "differential"}
local largest_ratio = 1e6
local example = '{ motor = "m1", joint = "joint_1", ratio = 100 }'

local function ratio(self, value, path)
  self:expect(value, "number", path, "a ratio: 100")
  if value == 0 then
    self:fail(path, '"' .. spelled(path) .. '" is 0', "give turns of the motor per turn of the joint")
  end
  if math.abs(value) > largest_ratio or math.abs(value) < 1 / largest_ratio then
    self:fail(path, string.format('"%s" is %g, which is no ratio of a gear', spelled(path), value),
      string.format("give turns of the motor per turn of the joint: from %g to %g in size", 1 / largest_ratio,
        largest_ratio))
  end
  return value
end

-- Two ratios, 1 where none are given.
local function two_ratios(self, value, path)
  if value == nil then return {1, 1} end
  self:list(value, path, "two ratios")
  if #value ~= 2 then
    self:fail(path, '"' .. spelled(path) .. '" has ' .. #value .. " ratios", "write two: { 50, 50 }")
  end
  return {ratio(self, value[1], join(path, 1)), ratio(self, value[2], join(path, 2))}
end

-- w_1 = n_1 (m_1 qd_1 + m_2 qd_2), w_2 = n_2 (m_1 qd_1 - m_2 qd_2), n of the motors, m of the joints (ros_control's
-- DifferentialTransmission).
function Transmissions.differential(n, m)
  return {{n[1] * m[1], n[1] * m[2]}, {n[2] * m[1], -n[2] * m[2]}}
end

local function read_differential(self, value, path, motors, joints)
  self:expect(value, "table", path, "a table: { motors = { 50, 50 }, joints = { 1, 1 } }")
  self:known(value, {"motors", "joints"}, path)
  if motors ~= 2 or joints ~= 2 then
    self:fail(path, "a differential has two motors and two joints, and here are " .. motors .. " and " .. joints,
      "name two of each, or write matrix = { .. }")
  end
  return Transmissions.differential(two_ratios(self, value.motors, join(path, "motors")),
    two_ratios(self, value.joints, join(path, "joints")))
end

local function read_matrix(self, value, path, motors, joints)
  self:list(value, path, "rows, one a motor", #motors + 1)
  if #value ~= #motors then
    self:fail(path, '"' .. spelled(path) .. '" has ' .. #value .. " rows for " .. #motors .. " motors",
      "write a row a motor, with a number a joint")
  end
  local G = {}
  for m, row in ipairs(value) do
    local at, any = join(path, m), false
    G[m] = self:numbers(row, at, #joints, "a number a joint: " .. #joints)
    for j, x in ipairs(G[m]) do
      any = any or x ~= 0
      if math.abs(x) > largest_ratio then ratio(self, x, join(at, j)) end
    end
    if not any then
      self:fail(at, 'motor "' .. motors[m].name .. '" moves with no joint', "leave the motor out, or give it a ratio")
    end
  end
  return G
end

-- {motors = {{name, path}}, links = {link}, G, path}
local function read_one(self, value, path)
  self:expect(value, "table", path, "a table: " .. example)
  self:known(value, words, path)
  local single = value.motor ~= nil or value.joint ~= nil
  local function both(one, many)
    if value[one] ~= nil and value[many] ~= nil then
      self:fail(join(path, many), '"' .. spelled(path) .. '" has ' .. one .. " and " .. many, "leave one out")
    end
    if value[one] == nil and value[many] == nil then
      self:fail(path, '"' .. spelled(path) .. '" has no ' .. (single and one or many), "write " .. example)
    end
  end
  both("motor", "motors")
  both("joint", "joints")
  local r = {path = path, motors = {}, links = {}}
  local function motor(name, at)
    r.motors[#r.motors + 1] = {name = self:identifier(name, at), path = at}
    return name
  end
  local function link(name, at)
    r.links[#r.links + 1] = self:joint(name, at)
    return name
  end
  if value.motor ~= nil then motor(value.motor, join(path, "motor")) end
  if value.joint ~= nil then link(value.joint, join(path, "joint")) end
  self:each_once(value.motors, join(path, "motors"), "motors", motor)
  self:each_once(value.joints, join(path, "joints"), "joints", link)
  if #r.motors == 0 or #r.links == 0 then
    self:fail(path, '"' .. spelled(path) .. '" has no ' .. (#r.motors == 0 and "motor" or "joint"),
      "name one at least: " .. example)
  end
  local given = {}
  for _, word in ipairs {"ratio", "differential", "matrix"} do
    if value[word] ~= nil then given[#given + 1] = word end
  end
  if #given ~= 1 then
    self:fail(path, '"' .. spelled(path) .. '" has ' .. (#given == 0 and "no ratio" or table.concat(given, " and ")),
      "give one of ratio = 100, differential = { motors = { 50, 50 } } and matrix = { { 50, 0 }, { 50, 50 } }")
  end
  if value.ratio ~= nil then
    if #r.motors ~= 1 or #r.links ~= 1 then
      self:fail(join(path, "ratio"), '"ratio" is for one motor and one joint', "write matrix = { .. }: a row a motor")
    end
    r.G = {{ratio(self, value.ratio, join(path, "ratio"))}}
  elseif value.differential ~= nil then
    r.G = read_differential(self, value.differential, join(path, "differential"), #r.motors, #r.links)
  else
    r.G = read_matrix(self, value.matrix, join(path, "matrix"), r.motors, r.links)
  end
  return r
end

-- The same of the robot's file.
local function read_of_file(self, t)
  local path = {"transmissions"}
  local r = {path = path, motors = {}, links = {}, G = t.matrix, of_file = true, effort = t.effort or {}}
  local by_name = {}
  for k, link in ipairs(self.model.links) do
    if link.joint.name and link.joint.type ~= "fixed" then by_name[link.joint.name] = k end
  end
  for k, name in ipairs(t.motors) do
    r.motors[k] = {name = self:identifier((name:gsub("[^%w_]", "_")), path), path = path}
  end
  for k, name in ipairs(t.joints) do
    r.links[k] = by_name[name]
    if not by_name[name] then
      ag.fail_model(t.line, (t.effort and "an actuator" or "a <transmission>") .. ' names joint "' .. name ..
        '", which is none that moves',
        "correct its name, or write transmissions = { .. } into the layout")
    end
  end
  return r
end

local function not_negative(self, value, path, what)
  self:expect(value, "number", path, what)
  if value < 0 then self:fail(path, what .. " is negative", "give a number of zero or more") end
  return value
end

-- motors = { left = { inertia = , viscous = , coulomb = , effort = , velocity = } }: by name.
local function read_numbers(self, raw)
  local r, path = {}, {"motors"}
  if raw == nil then return r end
  self:expect(raw, "table", path, "a table of motors: { left = { inertia = 1e-5 } }")
  for _, name in ipairs(sorted_keys(raw)) do
    local at = join(path, name)
    if type(name) ~= "string" then
      self:fail(at, 'there is a value without a motor in "motors"', "name its motor: motors = { left = { .. } }")
    end
    local value = self:expect(raw[name], "table", at, "a table: { inertia = 1e-5, effort = 0.5 }")
    self:known(value, {"inertia", "viscous", "coulomb", "effort", "velocity"}, at)
    local m = {}
    for k, word in ipairs {"inertia", "viscous", "coulomb"} do
      local what = ({"the rotor's inertia", "the viscous friction", "the dry friction"})[k]
      m[word] = value[word] ~= nil and not_negative(self, value[word], join(at, word), what .. ' of motor "' .. name ..
        '"') or 0
    end
    if m.inertia > ag.largest_inertia then
      self:fail(join(at, "inertia"), 'the rotor\'s inertia of motor "' .. name .. '" is larger than ' ..
        ("%g"):format(ag.largest_inertia):gsub("%+", ""), "give it at the motor's side in kg m^2 (kg where it slides)")
    end
    for _, word in ipairs {"effort", "velocity"} do
      local what = "the " .. word .. ' limit of motor "' .. name .. '"'
      m[word] = value[word] ~= nil and self:positive(value[word], join(at, word), what) or nil
    end
    r[name] = m
  end
  return r
end

-- What stands in the layout before its joints are known to move: a list of transmissions, and the numbers of motors by
-- name; nil: neither word is there. armature: by link, which is set to true where a joint cannot be without inertia.
function Transmissions.read(self, raw, armature)
  if raw.transmissions == nil and raw.motors == nil then return nil end
  local path, list, given = {"transmissions"}, {}, raw.transmissions
  local of_file = given == "file" or given == "urdf"
  if of_file then
    given = FileGears.of(self.model)
    if #given == 0 then
      self:fail(path, "the robot's file has no motors, <transmission> in a URDF, <actuator> in MJCF",
        'write them here: { { motor = "m1", joint = "joint_1", ratio = 100 } }')
    end
    for k, t in ipairs(given) do list[k] = read_of_file(self, t) end
    given = nil
  end
  for k, value in ipairs(given and self:list(given, path, 'transmissions, or "file"') or {}) do
    list[k] = read_one(self, value, join(path, k))
  end
  local numbers = read_numbers(self, raw.motors)
  for _, t in ipairs(list) do
    for m, effort in pairs(t.effort or {}) do -- the layout's over the file's
      local name = t.motors[m].name
      numbers[name] = numbers[name] or {inertia = 0, viscous = 0, coulomb = 0}
      if not numbers[name].effort then numbers[name].effort, numbers[name].of_file = effort, true end
    end
    local all = #t.motors >= #t.links
    for _, m in ipairs(t.motors) do all = all and numbers[m.name] and numbers[m.name].inertia > 0 end
    for _, link in ipairs(t.links) do armature[link] = armature[link] or all end
  end
  for k, link in ipairs(self.model.links) do
    local own = link.joint.name and numbers[link.joint.name]
    if own and own.inertia > 0 then armature[k] = true end
  end
  return {list = list, numbers = numbers, of_file = of_file}
end

-- Of a transmission of the file: what of it moves in this layout. A joint that is locked or left out has no velocity,
-- so that its column goes, and a motor that turns with no other joint, too.
local function keep_moving(t, find, numbers)
  local links, motors, G = {}, {}, {}
  for k, link in ipairs(t.links) do
    if find.moves(link) then links[#links + 1] = {link, k} end
  end
  for m, motor in ipairs(t.motors) do
    local row, any = {}, false
    for c, kept in ipairs(links) do
      row[c] = t.G[m][kept[2]]
      any = any or row[c] ~= 0
    end
    if any then
      motors[#motors + 1], G[#G + 1] = motor, row
    else
      numbers[motor.name] = nil
    end
  end
  for c, kept in ipairs(links) do links[c] = kept[1] end
  t.links, t.motors, t.G = links, motors, G
end

-- The motors of transmissions by name, and by joint the transmission that moves it.
local function of_transmissions(self, chain, find, said, passive)
  local motors, moved_by = {}, {}
  for _, t in ipairs(said.list) do
    local bodies = {}
    if t.of_file then keep_moving(t, find, said.numbers) end
    for k, link in ipairs(t.links) do
      local name = self.model.links[link].joint.name
      local at = #t.links == 1 and join(t.path, "joint") or join(t.path, "joints", k)
      bodies[k] = find.body(link, at)
      find.independent(bodies[k], at)
      local j = chain.joint_of[bodies[k]]
      if not j then
        self:fail(at, 'joint "' .. name .. '" is a dependent joint of a linkage: how it moves with the independent ' ..
          "ones is not constant", "name independent joints, or motors in the linkage, whose torques are linkage_tau")
      end
      if passive[j] then
        self:fail(at, 'joint "' .. chain.joint_names[j] .. '" is passive, and a transmission moves it',
          "take it out of passive, or out of the transmission")
      end
      if moved_by[j] and moved_by[j] ~= t then
        self:fail(at, 'joint "' .. name .. '" is in two transmissions',
          "make one of them: motors = { .. }, joints = { .. }, matrix = { .. }")
      end
      moved_by[j] = t
    end
    for m, motor in ipairs(t.motors) do
      if motors[motor.name] then
        self:fail(motor.path, 'motor "' .. motor.name .. '" is in two transmissions', "give each motor a name")
      end
      local row = {}
      for k, i in ipairs(bodies) do row[i] = (row[i] or 0) + t.G[m][k] end
      motors[motor.name] = {name = motor.name, of = row, path = motor.path}
    end
    t.bodies = bodies
  end
  return motors, moved_by
end

-- All motors in the order of the joints: those of a transmission where its first joint is.
local function in_order(self, chain, motors, moved_by, passive)
  local list, done = {}, {}
  for j, i in ipairs(chain.leader) do
    local t, name = moved_by[j], chain.bodies[i].link.joint.id
    if not t and not passive[j] then
      if motors[name] then
        self:fail(motors[name].path, 'motor "' .. name .. '" has the name of the motor of joint "' ..
          chain.joint_names[j] .. '", which no transmission moves', "give it another name")
      end
      list[#list + 1] = {name = name, of = {[i] = 1}, own = i}
    elseif t and not done[t] then
      done[t] = true
      for _, motor in ipairs(t.motors) do list[#list + 1] = motors[motor.name] end
    end
  end
  return list
end

-- Joints that move and that no motor of the file moves.
local function tell_without(self, chain, moved_by, passive)
  local names = {}
  for j in ipairs(chain.leader) do
    if not moved_by[j] and not passive[j] then names[#names + 1] = '"' .. chain.joint_names[j] .. '"' end
  end
  if #names == 0 then return end
  local one = #names == 1
  self:warn({"transmissions"}, "no motor of the file moves " .. (one and "joint " or "joints ") ..
    table.concat(names, ", ", 1, math.min(#names, 8)) .. (#names > 8 and ", .." or "") .. ": " ..
    (one and "it has a motor of its own; if it has none, name it in passive" or
      "each has a motor of its own; name those without in passive"))
end

-- The joints that motor m turns with, and whether it alone moves the one.
function Transmissions.joints_of(L, m)
  local joints = {}
  for j, x in ipairs(L.gears.G[m]) do
    if x ~= 0 then joints[#joints + 1] = j end
  end
  local alone = #joints == 1
  for k, row in ipairs(L.gears.G) do alone = alone and (k == m or row[joints[1]] == 0) end
  return joints, alone
end

-- Limits of the file's motors give way to those that the layout has for their joints, and are no larger than those
-- that the file has for the joints themselves.
local function settle_limits_of_file(self, chain, L, moved_by)
  for m, motor in ipairs(L.motors) do
    local joints, alone = Transmissions.joints_of(L, m)
    local t = motor.of_file and moved_by[joints[1]]
    for _, i in ipairs(t and t.bodies or {}) do
      if self.raw.effort and self.raw.effort[chain.joint_names[chain.joint_of[i]]] then motor.effort = nil end
    end
    local own = L.effort[joints[1]]
    if t and alone and own and motor.effort then
      motor.effort = math.min(motor.effort, own / math.abs(L.gears.G[m][joints[1]]))
    end
  end
end

-- Limits of effort of motors. One that alone moves one joint limits that joint, L.effort. Of a transmission with
-- others, the limits of its motors stand in place of its joints': L.limited has these motors, at_motors its joints,
-- motor_at all its motors.
local function place_limits(self, chain, L, moved_by)
  local limited, at_motors, motor_at = {}, {}, {}
  local function mine(j, motor)
    local name = chain.joint_names[j]
    if self.raw.effort and self.raw.effort[name] then
      self:fail({"effort", name}, 'joint "' .. name .. '" has a limit, and so has motor "' .. motor.name ..
        '", which moves it', "leave one of them out")
    end
  end
  for m, motor in ipairs(L.motors) do
    local joints, alone = Transmissions.joints_of(L, m)
    if motor.effort and alone then
      mine(joints[1], motor)
      L.effort[joints[1]] = motor.effort * math.abs(L.gears.G[m][joints[1]])
    elseif motor.effort then
      limited[#limited + 1] = m
      local t = moved_by[joints[1]]
      for _, i in ipairs(t.bodies) do
        local j = chain.joint_of[i]
        mine(j, motor)
        at_motors[j], L.effort[j] = true, nil
      end
      for k, other in ipairs(L.motors) do
        for _, of in ipairs(t.motors) do motor_at[k] = motor_at[k] or of.name == other.name or nil end
      end
    end
  end
  if #limited > 0 then L.limited, L.at_motors, L.motor_at = limited, at_motors, motor_at end
end

-- Dry friction of motors by joint, |r| f of a motor that alone moves one joint, w = r qd; and by number the others that
-- have some. nil: there are none.
function Transmissions.dry_friction(self, L)
  local by_joint, others
  for m, motor in ipairs(L.motors or {}) do
    if motor.coulomb > 0 then
      local joints, alone = Transmissions.joints_of(L, m)
      if alone then
        by_joint = by_joint or {}
        by_joint[joints[1]] = motor.coulomb * math.abs(L.gears.G[m][joints[1]])
      elseif L.optimum then
        self:fail({"motors", motor.name, "coulomb"}, 'motor "' .. motor.name ..
          '" does not alone move one joint, and ' .. Optimum.spelled(L) .. " has dry friction of joints only",
          "give it to the joints, friction = { joint_1 = 2 }, and leave coulomb out")
      else
        others = others or {}
        others[#others + 1] = m
      end
    end
  end
  return by_joint, others
end

-- The largest ratio of motor m to a joint.
function Transmissions.largest_ratio(L, m)
  local most = 0
  for _, x in ipairs(L.gears.G[m]) do most = math.max(most, math.abs(x)) end
  return most
end

-- Puts into L.motors all motors {name, of = {[body] = ratio}, own = its joint's body, inertia, viscous, coulomb,
-- effort, velocity} (nil: the layout has neither word), and into L.gears what is made of them (gears.lua).
function Transmissions.resolve(self, chain, find, L, said)
  if not said then return end
  local motors, moved_by = of_transmissions(self, chain, find, said, L.passive)
  L.motors = in_order(self, chain, motors, moved_by, L.passive)
  local known, uppers = {}, {}
  for k, m in ipairs(L.motors) do
    local upper = m.name:upper()
    if uppers[upper] then
      self:fail(m.path or uppers[upper].path, 'motors "' .. uppers[upper].name .. '" and "' .. m.name ..
        '" both become ' .. upper, "rename one of them")
    end
    uppers[upper] = m
    known[m.name], known[k] = m, m.name
    for word, x in pairs(said.numbers[m.name] or {inertia = 0, viscous = 0, coulomb = 0}) do m[word] = x end
  end
  for _, name in ipairs(sorted_keys(said.numbers)) do
    if not known[name] then
      self:fail({"motors", name}, 'there is no motor "' .. name .. '"', Reader.suggestion(name, known))
    end
  end
  L.gears = Gears.new(chain, L.motors)
  local j = L.gears.unreached
  if j then
    local t = moved_by[j]
    self:fail(t.path, "its motors move only " .. L.gears:rank_of(chain, t) ..
      ' of its joints apart from each other: joint "' .. chain.joint_names[j] .. '" depends on the others',
      "name a motor for each freedom, or let joints mimic each other")
  end
  settle_limits_of_file(self, chain, L, moved_by)
  place_limits(self, chain, L, moved_by)
  if said.of_file then tell_without(self, chain, moved_by, L.passive) end
end

return Transmissions
