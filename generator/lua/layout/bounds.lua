-- SPDX-License-Identifier: MIT
-- bounds.lua: what a layout says of rows whose force has bounds: lo <= nu <= hi.
--
-- Groups have `bounds`, or the `friction` of a contact; the layout has `friction` and `limits` of joints, which
-- become rows along joint axes: {name, kind, rows, joints} each, in L.joint_groups.

local Optimum = require "optimum"
local Transmissions = require "transmissions"
local MotionLimits = require "motion_limits"
local Outputs = require "output_words"

local Bounds = {}

-- {lo, hi}, either of which may be infinite; or "input".
local function pair(self, value, path)
  if value == "input" then return "input", "input" end
  local what = 'two numbers { lo, hi }, or "input"'
  self:expect(value, "table", path, what)
  self:known(value, {1, 2}, path)
  local lo, hi = value[1], value[2]
  for k = 1, 2 do
    if type(value[k]) ~= "number" or value[k] ~= value[k] then
      self:fail(path, "bounds are " .. what, "write { -20, 20 }, or { 0, math.huge }")
    end
  end
  if lo > hi then self:fail(path, "the lower bound is above the upper", "write the smaller one first") end
  if lo == math.huge or hi == -math.huge then
    self:fail(path, "no force is within these bounds", "write { 0, math.huge } for a force along the row only")
  end
  return lo, hi
end

local function read_bounds(self, g, group, path)
  path = self.join(path, "bounds")
  group.lo, group.hi = {}, {}
  local value = self:expect(g.bounds, g.bounds == "input" and "string" or "table", path,
    'two numbers { lo, hi }, rows with such, or "input"')
  local named = type(value) == "table" and value[1] == nil
  local names = group.called or group.rows -- joints by the URDF's names
  if named then self:known(value, names, path) end
  for k, row in ipairs(names) do
    if not named then
      group.lo[k], group.hi[k] = pair(self, value, path)
    elseif value[row] ~= nil then
      group.lo[k], group.hi[k] = pair(self, value[row], self.join(path, row))
    else
      group.lo[k], group.hi[k] = -math.huge, math.huge
    end
  end
end

local function not_negative(self, value, path, what)
  self:expect(value, "number", path, what)
  if value < 0 then self:fail(path, what .. " is negative", "give a number of zero or more") end
  return value
end

local function positive(self, value, path, what, default)
  if value == nil then return default end
  return self:positive(value, path, what)
end

local function read_contact(self, g, group, path)
  local where = self.join(path, "friction")
  if g.bounds ~= nil then
    self:fail(where, 'group "' .. group.name .. '" has bounds and friction', "leave one out: friction gives the bounds")
  end
  if g.to ~= nil then
    self:fail(where, 'tie "' .. group.name .. '" has friction', "give friction to a group on one frame")
  end
  for _, row in ipairs(group.free and {} or group.rows) do
    if not row:match("^lin") then
      self:fail(where, 'row "' .. row .. '" of group "' .. group.name ..
        '" is angular: friction acts along linear rows', "friction is for the linear rows along the surface")
    end
  end
  local mu = g.friction
  if mu ~= "input" then not_negative(self, mu, where, 'the coefficient of friction') end
  local threshold = positive(self, g.threshold, self.join(path, "threshold"),
    "the speed below which a contact sticks [m/s]", 1e-3)
  group.contact = {mu = mu, threshold = threshold}
end

-- contact = { normal = "lin_z", friction = 0.6, threshold = 1e-3 }: a surface that only pushes, along row `normal`, and
-- whose friction along the other rows is bounded by the normal force that is given.
local function read_unilateral(self, g, group, path)
  local where, c, named = self.join(path, "contact"), g.contact, 'group "' .. group.name .. '"'
  self:expect(c, "table", where, 'a table: { normal = "lin_z", friction = 0.6 }')
  self:known(c, {"normal", "friction", "threshold"}, where)
  for _, word in ipairs {"bounds", "friction", "threshold"} do
    if g[word] ~= nil then
      self:fail(self.join(path, word), named .. " has contact and " .. word,
        word == "bounds" and "leave one out: contact gives the bounds" or
          "put it into contact: contact = { normal = \"lin_z\", " .. word .. " = ... }")
    end
  end
  if g.to ~= nil then
    self:fail(where, 'tie "' .. group.name .. '" has a contact', "give the contact to a group on one frame")
  end
  if group.free then
    self:fail(where, named .. " has free directions, of which none is the normal",
      'name its rows: rows = { "lin_x", "lin_y", "lin_z" }')
  end
  if c.normal == nil then
    self:fail(where, "the contact of " .. named .. " has no normal",
      'name the row along which the surface pushes: normal = "lin_z"')
  end
  self:expect(c.normal, "string", self.join(where, "normal"), "one of the group's rows")
  local normal
  for k, row in ipairs(group.rows) do
    if not row:match("^lin") then
      self:fail(where, 'row "' .. row .. '" of ' .. named .. " turns, which a contact at a point does not hinder",
        "give the contact to linear rows only")
    end
    if row == c.normal then normal = k end
  end
  if not normal then
    self:fail(self.join(where, "normal"), 'the normal "' .. c.normal .. '" is no row of ' .. named,
      self.suggestion(c.normal, group.rows))
  end
  if #group.rows > 1 and c.friction == nil then
    self:fail(where, "the contact of " .. named .. " has rows along the surface and no friction",
      'give friction = 0.6 (or "input"), or leave the normal alone: rows = { "' .. c.normal .. '" }')
  end
  local mu = c.friction
  if mu ~= nil and #group.rows == 1 then
    self:fail(self.join(where, "friction"), named .. " has no row along the surface",
      'add rows: rows = { "lin_x", "lin_y", "lin_z" }')
  end
  if mu ~= nil and mu ~= "input" then
    not_negative(self, mu, self.join(where, "friction"), 'the coefficient of friction')
  end
  group.contact = {
    mu = mu, normal = normal,
    threshold = positive(self, c.threshold, self.join(where, "threshold"),
      "the speed below which a contact sticks [m/s]", 1e-3),
  }
end

-- The words of a group that are about bounds.
Bounds.group_words = {"bounds", "friction", "threshold", "contact"}
function Bounds.read_group(self, g, group, path)
  if g.contact ~= nil then return read_unilateral(self, g, group, path) end
  if g.bounds ~= nil then read_bounds(self, g, group, path) end
  if g.friction ~= nil then
    read_contact(self, g, group, path)
  elseif g.threshold ~= nil then
    self:fail(self.join(path, "threshold"), '"threshold" needs friction', "leave it out")
  end
end

-- {[joint] = number} by name, from the URDF's `word`, or "input". own_joint(name, path): the joint's number.
local function by_joint(self, chain, value, word, path, own_joint)
  if value == "input" then return "input" end
  if value == "urdf" then
    local r = {}
    for j = 1, chain.nj do
      local x = chain.bodies[chain.leader[j]].link.joint[word]
      if x and x > 0 then r[j] = x end
    end
    if next(r) == nil then
      self:fail(path, "no joint of the URDF has <dynamics " .. word .. ">", "name joints and numbers: { joint_1 = 2 }")
    end
    return r
  end
  if type(value) ~= "table" then
    if not word then
      self:fail(path, "breakaway friction comes from numbers, or at run time",
        'write "input", or joints and numbers: { joint_1 = 3 }')
    end
    self:fail(path, "friction comes from the URDF, from numbers, or at run time",
      'write "urdf", "input", or joints and numbers: { joint_1 = 2 }')
  end
  return self:by_joint(value, path, own_joint, function(x, at) return not_negative(self, x, at, "friction") end)
end

local function joint_group(chain, name, kind, has)
  local group = {name = name, kind = kind, rows = {}, joints = {}}
  for j = 1, chain.nj do
    if has(j) then
      group.joints[#group.joints + 1] = j
      group.rows[#group.rows + 1] = chain.bodies[chain.leader[j]].link.joint.id
    end
  end
  return group
end

-- Friction at rest, above that in motion: {[joint] = number} where it is named, or "input".
local function read_breakaway(self, chain, raw, coulomb, own_joint)
  local path = {"friction", "breakaway"}
  if raw.breakaway == "urdf" then
    self:fail(path, "a URDF has no breakaway friction: its <dynamics friction> is one number for rest and motion",
      'write "input", or joints and numbers: { joint_1 = 3 }')
  end
  local breakaway = by_joint(self, chain, raw.breakaway, nil, path, own_joint)
  for j = 1, breakaway == "input" and 0 or chain.nj do
    local f = coulomb ~= "input" and (coulomb[j] or 0)
    if f and breakaway[j] and breakaway[j] < f then
      local name = chain.bodies[chain.leader[j]].link.joint.name
      self:fail(self.join(path, name),
        string.format("the breakaway friction of %s is %g, below that in motion, %g", name, breakaway[j], f),
        "give as much at least, or leave it out: it is that in motion then")
    end
  end
  return breakaway
end

-- The words of dry friction that need `coulomb`.
local function check_dry(self, raw, path, of_motors)
  for _, word in ipairs {"breakaway", "period"} do
    if raw[word] ~= nil and raw.coulomb == nil and not (of_motors and word == "period") then
      self:fail(self.join(path, word), '"' .. word .. '" is of dry friction, and friction has no coulomb',
        'add coulomb = "urdf", "input", or joints and numbers')
    end
  end
  if raw.period ~= nil and raw.threshold ~= nil and raw.breakaway == nil then
    self:fail(self.join(path, "threshold"),
      '"threshold" has no meaning beside period: a joint stops where friction suffices',
      "leave threshold out, or add breakaway")
  end
end

-- friction = "urdf", "input", { joint_1 = 2 }, or { coulomb = one of these, viscous = one of these, breakaway = "input"
-- or { joint_1 = 3 }, threshold = 1e-3, period = 1e-3 or "input" }
-- at_motors: dry friction of motors by joint, which is added; nil: none. others: motors with friction of their own.
local function read_friction(self, chain, raw, own_joint, at_motors, others)
  local path, value = {"friction"}, raw
  local of_motors = at_motors ~= nil or others ~= nil
  local whole = type(raw) == "table" and
    (raw.coulomb ~= nil or raw.viscous ~= nil or type(raw.breakaway) == "table" or raw.breakaway == "input" or
    raw.period == "input" or of_motors and (raw.period ~= nil or raw.threshold ~= nil))
  if whole then
    self:known(raw, {"coulomb", "viscous", "breakaway", "threshold", "period"}, path)
    check_dry(self, raw, path, of_motors)
    value, path = raw.coulomb, {"friction", "coulomb"}
  end
  local coulomb = value ~= nil and by_joint(self, chain, value, "friction", path, own_joint) or {}
  if at_motors and coulomb == "input" then
    self:fail(path, "the dry friction of joints comes at run time, and motors have some, too",
      "leave coulomb of motors out: the input is the friction of joints with their motors'")
  end
  for j, x in pairs(at_motors or {}) do coulomb[j] = (coulomb[j] or 0) + x end
  local breakaway = whole and raw.breakaway ~= nil and read_breakaway(self, chain, raw, coulomb, own_joint) or nil
  local function rubs(list, j) return list == "input" or list and list[j] end
  local group = joint_group(chain, "friction", "physical",
    function(j) return rubs(coulomb, j) or rubs(breakaway, j) end)
  group.coulomb, group.breakaway = coulomb, breakaway
  group.threshold = positive(self, whole and raw.threshold or nil, {"friction", "threshold"},
    "the speed below which a joint sticks [rad/s, m/s]", 1e-3)
  if whole and raw.period ~= nil then
    group.period = raw.period == "input" and "input" or
      positive(self, raw.period, {"friction", "period"}, "the period of the steps [s]")
  end
  if whole and raw.viscous ~= nil then
    group.viscous = by_joint(self, chain, raw.viscous, "damping", {"friction", "viscous"}, own_joint)
  end
  return group
end

-- Rows of motors that move several joints and have dry friction: group `friction` has what is common to all of it.
local function friction_of_motors(L, others, friction)
  local group = {name = "friction_motor", kind = "physical", rows = {}, joints = {}, motors = others, thresholds = {},
    period = friction.period}
  for k, m in ipairs(others) do
    group.rows[k] = L.motors[m].name
    group.thresholds[k] = friction.threshold * Transmissions.largest_ratio(L, m) -- a joint at its threshold turns it so
  end
  return group
end

-- effort = true: limits push no more than the motors can. {[joint] = effort}, or nil; and whether motors that move
-- several joints have limits.
local function read_effort_of_limits(self, chain, L, kind)
  local given, path = self.raw.limits.effort, {"limits", "effort"}
  if given == nil or not self:expect(given, "boolean", path) then return nil end
  if L.optimum then
    self:fail(path, 'the torques of realise = "optimum" are within the effort limits, all of them together',
      L.asked == "optimum" and "leave it out" or 'leave it out, or write realise = "optimum"')
  end
  if kind == "physical" then
    self:fail(path, "physical limits push with mechanical stops, not with motors", "leave effort or kind out")
  end
  local r, any = {}, false
  for j = 1, chain.nj do
    r[j] = not L.passive[j] and L.effort[j] or nil
    any = any or r[j] ~= nil
  end
  if not any and not L.limited then
    self:fail(path, "no motor has a limit of effort", "give them as effort = { joint_1 = 55 }, or leave it out")
  end
  return r, L.limited ~= nil
end

-- Joints with limits of acceleration stop in time: one group with both sides in an optimum, else one for each side.
local function groups_in_time(chain, motion, both, kind)
  local groups = {}
  for _, side in ipairs(both and {"in_time"} or {"lower", "upper"}) do
    local group = joint_group(chain, "limits_" .. side, kind, function(j) return motion.acceleration[j] end)
    for word, value in pairs(motion) do group[word] = value end
    group.side = side
    groups[#groups + 1] = group
  end
  return groups
end

-- limits = { margin = 0.1, rate = 10, effort = true, b = "stop" or "input", kind = "artificial" or "physical",
-- joints = { ... } }, and those of velocity and acceleration (motion_limits.lua). A list of groups.
local function read_limits(self, chain, raw, own_joint, L)
  local path = {"limits"}
  self:expect(raw, "table", path, "a table: { margin = 0.1 }")
  self:known(raw, {"margin", "rate", "b", "kind", "joints", "velocity", "acceleration", "period", "effort"}, path)
  local chosen
  if raw.joints ~= nil then
    chosen = {}
    for _, j in ipairs(self:each_once(raw.joints, self.join(path, "joints"), "joints", own_joint)) do
      chosen[j] = true
    end
  end
  local function limited(j)
    local joint = chain.bodies[chain.leader[j]].link.joint
    return joint.lower and joint.upper and joint.lower < joint.upper
  end
  local motion = MotionLimits.read(self, chain, raw, chosen, own_joint)
  local function in_time(j) return motion and motion.acceleration[j] end
  for k, name in ipairs(raw.joints or {}) do
    local j = own_joint(name, self.join(path, "joints", k))
    if not limited(j) and not in_time(j) then
      self:fail(self.join(path, "joints", k), 'joint "' .. name .. '" has no limits', "leave it out")
    end
  end
  local kind = raw.kind == nil and "artificial" or
    self:one_of(raw.kind, {"artificial", "physical"}, self.join(path, "kind"))
  local group = joint_group(chain, "limits", kind,
    function(j) return limited(j) and not in_time(j) and (not chosen or chosen[j]) end)
  if #group.rows == 0 and not motion then
    self:fail(path, "no joint has limits",
      "give them as joint_limits = { joint = { lower = -1, upper = 1 } }, or leave limits out")
  end
  if #group.rows == 0 and raw.margin ~= nil then
    self:fail(self.join(path, "margin"), '"margin" has no meaning where all joints have limits of acceleration',
      "leave it out: they are braked where they have to be")
  end
  local rate = positive(self, raw.rate, self.join(path, "rate"), "the rate [1/s]", 10)
  if motion then
    if rate * motion.step > 1 then
      self:fail(self.join(path, "rate"),
        "the rate times the period is above 1: what comes back from beyond would swing",
        string.format("give %g [1/s] at most", 1 / motion.step))
    end
    motion.rate, motion.stops = rate, {}
    for j = 1, chain.nj do motion.stops[j] = limited(j) and 1 or 0 end
  end
  group.margin = positive(self, raw.margin, self.join(path, "margin"), "the margin [rad, m]", 0.1)
  group.rate = rate
  group.b = raw.b == nil and "stop" or self:one_of(raw.b, {"stop", "input"}, self.join(path, "b"))
  local groups = motion and groups_in_time(chain, motion, L.optimum, kind) or {}
  if #group.rows > 0 then table.insert(groups, 1, group) end
  local effort, at_motors = read_effort_of_limits(self, chain, L, kind)
  for _, g in ipairs(groups) do g.effort, g.effort_at_motors = effort, at_motors end
  return groups
end

-- Inputs of friction are fields that need names of their own.
local function check_names(self, L, group)
  for _, word in ipairs {"breakaway", "period"} do
    if group[word] == "input" then self:keep_name(L, word, "friction with " .. word .. ' = "input"') end
  end
end

local function check_group_names(self, L, group, word)
  for i, g in ipairs(L.groups) do
    if g.name:lower() == group.name then
      self:fail({"groups", i, "name"}, 'a group cannot be named "' .. g.name .. '" beside ' .. word .. " of " ..
        (group.motors and "motors" or "joints"),
        "choose another name")
    end
  end
end

-- least_torque = true, or { joint_1 = 4 }: weights of the motors' torques, by joint; 1 where none is named.
local function read_least_torque(self, chain, L, own_joint)
  local raw, path = self.raw.least_torque, {"least_torque"}
  if raw == nil or raw == false then return nil end
  if not L.bounded then
    self:fail(path, L.optimum and
      '"least_torque" cannot be used with ' .. Optimum.spelled(L) ..
      ", whose torques are unique: friction holds what it can"
      or '"least_torque" is for bounded rows: without them only one torque causes the motion', "leave it out")
  end
  local weights = {}
  for j = 1, chain.nj do weights[j] = L.passive[j] and 0 or 1 end
  if raw == true then return weights end
  self:expect(raw, "table", path, "true, or joints and weights: { joint_1 = 4 }")
  local given = self:by_joint(raw, path, own_joint, function(x, at, name, j)
    not_negative(self, x, at, "the weight of a torque")
    if L.passive[j] then self:fail(at, 'joint "' .. name .. '" is passive and has no torque', "leave it out") end
    return x
  end)
  for j, x in pairs(given) do weights[j] = x end
  return weights
end

-- What to write in place of realise = "motors" with bounded rows: an optimum knows friction and limits of joints, and
-- contacts whose normal forces are unknowns, but no other bounds of forces.
local function instead_of_motors(L)
  local optimum = 'write realise = "optimum" (function qp), which finds that out'
  for _, g in ipairs(L.groups) do
    if g.lo or g.contact and not g.contact.normal then
      local how = g.kind == "physical" and 'contact = { normal = "lin_z", friction = 0.6 } in place of ' or "leave out "
      return optimum .. ", and " .. how .. (g.lo and "bounds" or "friction") .. ' of group "' .. g.name .. '"'
    end
  end
  for _, g in ipairs(L.joint_groups) do
    if g.margin and (g.kind == "physical" or g.b == "input") then
      return optimum .. ", and leave out " .. (g.kind == "physical" and "kind" or "b") .. " of limits"
    end
  end
  return optimum
end

-- Whether realise = "motors" can be had by an optimum of motors without limits: dry friction and limits of joints, and
-- contacts with unknown normal forces, but no other bounds of forces. raw: the layout as it is written.
function Bounds.motors_can(raw)
  local function is(value, kind) return type(value) == kind end
  local friction, limits, any = raw.friction, raw.limits, raw.limits ~= nil
  if friction ~= nil then
    local viscous_alone = is(friction, "table") and friction.viscous ~= nil and friction.coulomb == nil
    any = any or not viscous_alone
  end
  if is(limits, "table") and (limits.kind == "physical" or limits.b == "input") then return false end
  for _, m in pairs(is(raw.motors, "table") and raw.motors or {}) do
    any = any or is(m, "table") and is(m.coulomb, "number") and m.coulomb > 0
  end
  for _, g in ipairs(is(raw.groups, "table") and raw.groups or {}) do
    if is(g, "table") then
      if g.bounds ~= nil or g.friction ~= nil then return false end
      any = any or is(g.contact, "table") and g.contact.normal ~= nil
    end
  end
  return any
end

-- Fills L.joint_groups and L.bounded. Rows that take a set-point come first, those of groups and then those of limits
-- with b = "input": so b, by row, has its places in the order of its columns.
local function read_rows(self, chain, L, own_joint)
  local raw = self.raw
  L.joint_groups = {}
  local given = type(raw.limits) == "table" and raw.limits.b == "input"
  local at_motors, others = Transmissions.dry_friction(self, L)
  for _, word in ipairs(given and {"limits", "friction"} or {"friction", "limits"}) do
    if raw[word] ~= nil or word == "friction" and (at_motors or others) then
      if chain.nj == 0 then
        self:fail({word}, '"' .. word .. '" is of joints, and no joint moves here', "leave it out")
      end
      local groups = word == "friction" and {read_friction(self, chain, raw[word], own_joint, at_motors, others)} or
        read_limits(self, chain, raw[word], own_joint, L)
      if word == "friction" and others then groups[2] = friction_of_motors(L, others, groups[1]) end
      for _, group in ipairs(groups) do
        L.joint_groups[#L.joint_groups + 1] = group
        check_names(self, L, group)
        check_group_names(self, L, group, word)
      end
    end
  end
  if L.optimum then return Optimum.check(self, chain, L) end
  L.bounded = false -- viscous friction alone bounds no row
  for _, g in ipairs(L.joint_groups) do L.bounded = L.bounded or #g.rows > 0 end
  for _, g in ipairs(L.groups) do L.bounded = L.bounded or g.lo ~= nil or g.contact ~= nil end
  if not L.bounded then return end
  local rows = 0
  for _, list in ipairs {L.groups, L.joint_groups} do
    for _, g in ipairs(list) do rows = rows + #g.rows end
  end
  if rows > ag.bounded_rows then
    self:fail({}, rows .. " rows, some of them bounded, are too many for the solver",
      "ask for " .. ag.bounded_rows .. " at most")
  end
  if L.realise == "motors" then
    self:fail({"realise"}, 'realise = "motors" cannot be used with bounded rows: which contacts hold is not known ' ..
      'before the rows are solved', instead_of_motors(L))
  end
  for _, word in ipairs {"saturate", "singularity", "singular_threshold"} do
    if raw[word] then
      self:fail({word}, '"' .. word .. '" cannot be used with bounded rows',
        word == "saturate" and "bound the rows instead, and leave it out" or
        "leave it out: achd_mclp knows dependent rows")
    end
  end
end

function Bounds.read(self, chain, L, own_joint)
  read_rows(self, chain, L, own_joint)
  L.least_torque = read_least_torque(self, chain, L, own_joint)
end

-- What bounded rows do not put out, and what only they do.
function Bounds.check_outputs(self, L)
  if (L.bounded or L.optimum) and self.raw.outputs == nil then L.outputs = {"qdd", "nu", "tau_ctrl"} end
  local function refuse(name, why, remedy)
    local path = Outputs.path_of(self, name)
    if path then self:fail(path, why, remedy) end
  end
  if L.bounded then
    for _, name in ipairs {"pivot_min", "pivot"} do
      refuse(name, '"' .. name .. '" cannot be used with bounded rows',
        "leave it out: achd_mclp_report tells how many rows depend on others")
    end
    if L.contributions then
      self:fail({"outputs", "contributions"}, "with bounded rows the solve is not linear in what acts",
        "leave contributions out")
    end
    local commands = not L.least_torque
    for _, o in ipairs(L.outputs) do commands = commands or o == "tau_ctrl" end
    if not commands then
      self:fail({"outputs"}, '"least_torque" needs the output tau_ctrl, whose size it makes least',
        'add "tau_ctrl", or leave least_torque out')
    end
  end
  if L.optimum then
    for _, name in ipairs {"pivot_min", "pivot", "tau_total", "tau_apparent"} do
      refuse(name, '"' .. name .. '" cannot be used with ' .. Optimum.spelled(L), "leave it out")
    end
    if L.contributions then
      self:fail({"outputs", "contributions"}, "with " .. Optimum.spelled(L) .. " the solve is not linear in what acts",
        "leave contributions out")
    end
  end
  if L.optimum or L.realise == "motors" or self.raw.saturate then
    refuse("Z", '"Z" is of the solve that every freedom realises, without limits of torque', "leave it out")
  end
  local friction = L.gears and L.gears:damps() or false
  for _, g in ipairs(L.joint_groups) do friction = friction or g.name == "friction" end
  if not friction then
    refuse("tau_friction", '"tau_friction" needs friction of joints', 'add friction = "urdf", or leave it out')
  end
end

return Bounds
