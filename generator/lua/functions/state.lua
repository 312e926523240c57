-- state.lua: what every function of a header shares: its inputs, the robot in that state, frames and
-- axes, outputs and status. Names, units, frames and meanings of all quantities stand here, once.

local scalar = require "scalar"
local spatial = require "spatial"
local motion = require "motion"
local constraints = require "constraints"
local Tie = require "ties"
local Base = require "moving_base"

local State = {}
State.__index = State

-- The terms that are summed up in each output (ag_terms in quantity.h), by its name or the first part of it; "velocities"
-- where none is named. "torques" and "rotors" are torques, which a status of NOT_FINITE zeroes.
local terms = {
  tau = "torques", tau_ctrl = "torques", tau_friction = "torques", tau_unactuated = "torques", tau_ctrl_of = "torques",
  ["base.wrench"] = "torques", ["base.wrench_ctrl"] = "torques", tau_total = "rotors", tau_apparent = "rotors",
  qdd = "joints", qdd_of = "joints", base_acc_of = "joints", nu = "forces", nu_of = "forces",
  pivot = "none", pivot_min = "none", scale = "none", bound = "none", ["base.bound"] = "none", gauss = "work", residual = "solved", ["base.acc"] = "solved",
  acc = "accelerations", jdqd = "drift", twist = "twists", pose = "lengths", jac = "lengths",
  ["com.p"] = "lengths", ["com.jac"] = "lengths", ["com.v"] = "twists", ["com.momentum"] = "momenta",
  potential = "potential", kinetic = "kinetic", M = "inertias",
}
function State.terms_of(name) return terms[name] or terms[name:match("^[^.]*")] or "velocities" end

-- Whether the compliance of row k of a layout's group comes at run time.
function State.compliance_at_run_time(g, k) return g.compliance and g.compliance[k] == "input" or false end

-- Whether the bounds of row k of a group come at run time.
function State.bounds_at_run_time(group, k) return group.lo and group.lo[k] == "input" or false end

-- By the output's name: "tau_ctrl", "tau_ctrl_of.gravity"; of bounded rows, at nu = 0, "tau_ctrl_0" and "base_0.wrench_ctrl".
local function holds_torques(name)
  local stem, rest = name:match("^([^.]*)(.*)$")
  local of = State.terms_of(stem:gsub("_0$", "") .. rest)
  return of == "torques" or of == "rotors"
end

local inertia_range = string.format("|%%s| <= %g", ag.largest_inertia)

local function vector(list, at) return {list[at + 1], list[at + 2], list[at + 3]} end

-- range: what its numbers must be, beside finite, "%s" for their name; default: its numbers in NAME_F_IN_DEFAULT, one
-- for all or one by one (nil: 0).
function State:input(name, shape, linear, angular, doc, count, range, default)
  if shape == "joints" and self.chain.nj == 0 then return {} end -- C has no arrays of length zero
  local list = ag.input(name, shape, linear, angular, doc, count or 1, range, default)
  for _, x in ipairs(list) do self.all_inputs[#self.all_inputs + 1] = x end
  return list
end

-- variant: {formulation, way, axes, leaf, sums} (main.lua). need: set of what the function takes beside q: qd, qdd,
-- gravity, tau (the layout's physical and artificial torques), one_tau (a single tau), wrenches ("physical":
-- only those), rows, armature, inertia (the layout's run-time ones), whole (inertias as they are, not regrouped),
-- base_acc (the acceleration of a moving base), bounds (of rows, and rows along joint axes).
function State.new(context, variant, need)
  local layout, chain = context.layout, context.chains[variant.leaf]
  local self = setmetatable({
    layout = layout, chain = chain, variant = variant, single = context.single,
    all_inputs = {}, outputs = {}, statuses = {}, inertia_parts = {},
  }, State)
  local n, nb = chain.nj, chain.nb
  local axes = "axes of " .. (nb > 0 and "the world" or "{" .. context.base_name .. "}")
  self.axes = nb > 0 and "axes of the world" or "axes of the base"
  self.base_name = context.base_name

  self.q = self:input("q", "joints", "m", "rad", "joint position", 1, self:angle_range())
  if need.qd then self.qd = self:input("qd", "joints", "m/s", "rad/s", "joint velocity") end
  if need.qdd then self.qdd = self:input("qdd", "joints", "m/s^2", "rad/s^2", "joint acceleration") end
  if need.gravity then
    if layout.gravity == "input" then
      self.gravity = self:input("gravity", "vector", "m/s^2", "", "gravity, " .. axes .. (nb > 0 and ": 0 0 -9.81 where z is up" or ": 0 0 -9.81 on a level table"), 1, nil, {0, 0, -9.81})
    else
      self.gravity = layout.gravity
    end
  end
  self.tau_phys, self.tau_art = {}, {}
  for i = 1, n do self.tau_phys[i], self.tau_art[i] = 0, 0 end
  if need.tau then
    if layout.torques.physical then
      self.tau_phys = self:input("tau_phys", "joints", "N", "N m", "joint torque that acts besides the motors' (friction, a spring)")
    end
    if layout.torques.artificial then
      self.tau_art = self:input("tau_art", "joints", "N", "N m", "feed-forward torque, added to the constraint torques")
    end
  end
  if need.one_tau then self.tau = self:input("tau", "joints", "N", "N m", "joint torque") end
  self.armature = {}
  for i = 1, n do self.armature[i] = 0 end
  if need.armature then
    if layout.armature == "input" then
      self.armature = self:input("armature", "joints", "kg", "kg m^2", "rotor inertia as the joint feels it: the rotor's times the gear ratio squared", 1, inertia_range)
      self.inertias_are_inputs = true
      for _, d in ipairs(self.armature) do self.inertia_parts[#self.inertia_parts + 1] = d end
    else
      for i, d in ipairs(motion.per_joint(chain, motion.scaled_by_ratio(chain, layout.armature))) do self.armature[i] = d end
    end
  end
  self.wrenches = {}
  if need.wrenches then
    for _, w in ipairs(layout.wrenches) do
      if need.wrenches == "physical" and w.kind ~= "physical" then goto continue end
      local verb = w.kind == "artificial" and "wrench for the motors to exert on " or "wrench that acts on "
      local list = self:input(w.name, "wrench", "N", "N m", verb .. w.frame_name .. ", at its origin, " .. axes)
      self.wrenches[#self.wrenches + 1] =
        {name = w.name, kind = w.kind, frame = w.frame, f = vector(list, 0), n = vector(list, 3)}
      ::continue::
    end
  end
  self.groups, self.rows = {}, {}
  if need.rows then self:read_rows(layout, axes) end
  if need.bounds then self:read_bounds(layout) end
  self.inertias = {}
  for i = nb > 0 and 0 or 1, chain.n do
    local b = chain.bodies[i]
    self.inertias[i] = need.whole and b.whole_inertia or b.inertia
  end
  if need.inertia then
    for _, link in ipairs(layout.inertia_inputs) do
      self.inertias_are_inputs = true
      local x = self:input("inertia." .. link.id, "inertia", "", "",
        "inertia of " .. link.name .. " about the origin of its frame, along the axes of its frame", 1, inertia_range, link.default)
      for _, part in ipairs(x) do self.inertia_parts[#self.inertia_parts + 1] = part end
      local own = {m = x[1], h = vector(x, 1), I = {x[5], x[6], x[7], x[8], x[9], x[10]}}
      local at = link.frame.body
      if self.inertias[at] then self.inertias[at] = spatial.add_inertia(self.inertias[at], spatial.inertia_to(link.frame, own)) end
    end
  end
  if need.inertia then self:read_payloads(layout) end
  if nb > 0 then self.base = Base.new(self, layout.orientation, need) end
  self.passive, self.effort = layout.passive, layout.effort

  -- sines and cosines
  ag.region("sine and cosine of the joints")
  local trig, q = {c = {}, s = {}}, motion.per_body(chain, self.q)
  for i = 1, chain.n do
    q[i] = q[i] + chain.offset[i]
    if not chain.bodies[i].prismatic then
      trig.s[i] = ag.label(scalar.sin(q[i]), "s" .. i)
      trig.c[i] = ag.label(scalar.cos(q[i]), "c" .. i)
    end
  end
  local base = self.base and self.base:motion()
  self.robot = motion.robot(chain, q, self.qd and motion.per_body(chain, self.qd), trig, base)
  self.robot.sums = variant.sums
  if variant.axes == "matrix" then self.poses = motion.poses(self.robot) end
  for _, g in ipairs(self.groups) do
    if g.to then g.tie = Tie.new(self.robot, g) end
  end
  return self
end

function State:angle_range() return string.format("|%%s| <= 1e%d", math.floor(math.log(ag.largest_angle(self.single), 10) + 0.5)) end

-- What a function without a robot in it needs.
function State.bare(context)
  return setmetatable({
    layout = context.layout, chain = context.chains.link, single = context.single, rows = {true},
    all_inputs = {}, outputs = {}, statuses = {},
  }, State)
end

function State:read_rows(layout, axes)
  for _, g in ipairs(layout.groups) do
    local group = {
      name = g.name, rows = g.rows, axes = g.axes, kind = g.kind, free = g.free,
      acceleration = g.acceleration, frame = g.frame, to = g.to, joints = g.joints, yields = g.over == "yields", b = {},
    }
    self.groups[#self.groups + 1] = group
  end
  self.joint_groups = {}
  for _, g in ipairs(layout.joint_groups) do
    self.joint_groups[#self.joint_groups + 1] = setmetatable({}, {__index = g})
  end
  local limits = self.joint_groups[1]
  limits = limits and limits.b == "input" and limits -- they come first then (bounds.lua)
  if #self.groups == 0 and not limits then return end
  local b = self:input("b", "set_points", "m/s^2", "rad/s^2", "desired acceleration along each row; 0 at rest: gravity is no part of it")
  local any_mask, at = false, 0
  for gi, g in ipairs(self.groups) do
    for k = 1, #g.rows do g.b[k] = b[at + k] end
    at = at + #g.rows
    any_mask = any_mask or layout.groups[gi].maskable
  end
  if limits then limits.given_b = table.move(b, at + 1, #b, 1, {}) end
  if any_mask then
    local mask = self:input("mask", "masks", "1", "1", "1: constraint active, 0: direction unconstrained", 1, "%s 0 or 1", {1})
    at = 0
    self.masks = mask
    for gi, g in ipairs(self.groups) do
      if layout.groups[gi].maskable then
        g.mask = {}
        for k = 1, #g.rows do g.mask[k] = mask[at + k] end
        at = at + #g.rows
      end
    end
  end
  self:read_compliance(layout)
  for _, g in ipairs(self.groups) do
    if g.axes == "input" and not g.free then
      local x = self:input("axes." .. g.name, "rotation", "1", "1",
        "rotation of the axes of group " .. g.name .. ", " .. axes .. ": its columns are the axes", 1, nil, {1, 0, 0, 0, 1, 0, 0, 0, 1})
      g.rotation = {vector(x, 0), vector(x, 3), vector(x, 6)}
    elseif g.free then
      local x = self:input("dir." .. g.name, "directions", "1", "1",
        "free directions of group " .. g.name .. ", " .. axes, #g.rows)
      g.directions = {}
      for k = 1, #g.rows do
        g.directions[k] = {lin = vector(x, 6 * k - 6), ang = vector(x, 6 * k - 3)}
      end
    end
  end
  self.rows = constraints.list(self.groups)
end

-- Compliance of soft rows: constants, or inputs, of which one below 0 is a bad input and counts as 0.
function State:read_compliance(layout)
  local any = false
  for gi, g in ipairs(self.groups) do
    local from = layout.groups[gi].compliance
    for k = 1, #g.rows do any = any or State.compliance_at_run_time(layout.groups[gi], k) end
    g.compliance = from and table.move(from, 1, #g.rows, 1, {})
    self.soft = self.soft or from ~= nil
  end
  if not any then return end
  local given = self:input("compliance", "compliances", "1/kg", "1/(kg m^2)", "compliance c of each soft row: A^T a - b = -c nu; 0: rigid", 1, "%s >= 0")
  self.compliances = given
  local at = 0
  for gi, g in ipairs(self.groups) do
    for k = 1, #g.rows do
      if State.compliance_at_run_time(layout.groups[gi], k) then
        at = at + 1
        g.compliance[k] = scalar.max(0, given[at])
      end
    end
  end
end

-- Loads that come at run time, added to the bodies that carry them.
function State:read_payloads(layout)
  for _, p in ipairs(layout.payloads) do
    if p.at_run_time then
      local function given(word, shape, unit, doc)
        return p[word] == "input" and self:input(p.name .. "." .. word, shape, unit, unit, doc) or p[word]
      end
      local m = given("mass", "scalar", "kg", "mass of the load at " .. p.frame_name)
      local c = given("com", "vector", "m", "its centre of mass, from the origin of " .. p.frame_name .. ", along its axes")
      local I = given("inertia", "tensor", "kg m^2", "its inertia about its centre of mass, axes of " .. p.frame_name)
      m = type(m) == "table" and m[1] or m
      self.inertias_are_inputs = true
      self:check_payload(m, p.inertia == "input" and I)
      local load = spatial.about_origin(m, c, I)
      for _, part in ipairs {load.m, load.h[1], load.h[2], load.h[3], load.I[1], load.I[4], load.I[6]} do
        self.inertia_parts[#self.inertia_parts + 1] = part
      end
      local at = p.frame.body
      self.inertias[at] = spatial.add_inertia(self.inertias[at], spatial.inertia_to(p.frame, load))
    end
  end
end

-- A mass below zero, or an inertia about the centre of mass with a negative principal moment: a negative principal
-- minor, by more than rounding. I: false where it is constant.
function State:check_payload(m, I)
  local bad = scalar.lt(m, 0)
  if I then
    local size = scalar.abs(I[1]) + scalar.abs(I[4]) + scalar.abs(I[6])
    local rounding = (self.single and 1e-4 or 1e-9) * size * size
    local function minor(a, b, c) return I[a] * I[b] - I[c] * I[c] end
    for _, k in ipairs {1, 4, 6} do bad = scalar.lor(bad, scalar.lt(I[k], 0)) end
    for _, two in ipairs {minor(1, 4, 2), minor(1, 6, 3), minor(4, 6, 5)} do bad = scalar.lor(bad, scalar.lt(two, -rounding)) end
    local det = I[1] * minor(4, 6, 5) - I[2] * (I[2] * I[6] - I[5] * I[3]) + I[3] * (I[2] * I[5] - I[4] * I[3])
    bad = scalar.lor(bad, scalar.lt(det, -(rounding * size)))
  end
  self.bad_payload = self.bad_payload and scalar.lor(self.bad_payload, bad) or bad
end

-- Of a group whose forces are realised within limits (qp.lua): its contact, priority, weight and wanted forces.
function State:read_contact(g, from)
  g.priority, g.weight = from.priority, from.weight
  g.contact = from.contact and setmetatable({}, {__index = from.contact})
  if g.contact and g.contact.mu == "input" then
    g.contact.mu = self:input("mu." .. g.name, "scalar", "1", "1", "coefficient of friction of " .. g.name, 1, "%s >= 0")[1]
  end
  if from.wanted then
    local points = g.contact and g.contact.points
    local where = points and "at each point of " .. g.name .. ", three numbers a point, axes of its frame" or "along each row of " .. g.name
    g.wanted = self:input("wanted." .. g.name, "list", "N", "N m", "force that the environment shall exert " .. where, points and 3 * #points or #g.rows)
  end
end

-- Bounds of rows and friction that come at run time, beside those of the layout. Infinite bounds are numbers here.
function State:read_bounds(layout)
  local none = {}
  for i = 1, self.chain.nj do none[i] = 0 end
  self.viscous, self.bounds_in = none, {}
  local run_time = false
  for gi, g in ipairs(self.groups) do
    local from = layout.groups[gi]
    g.lo, g.hi = from.lo and table.move(from.lo, 1, #from.lo, 1, {}), from.hi and table.move(from.hi, 1, #from.hi, 1, {})
    if layout.optimum then
      self:read_contact(g, from)
      goto continue
    end
    g.contact = from.contact and {threshold = from.contact.threshold, mu = from.contact.mu, normal_row = from.contact.normal}
    for k = 1, #g.rows do run_time = run_time or State.bounds_at_run_time(g, k) end
    if g.contact and g.contact.mu then
      g.contact.normal = self:input("normal." .. g.name, "scalar", "N", "N", "normal force at the contact of " .. g.name .. ", measured or from the last cycle; negative: no contact")[1]
      if g.contact.mu == "input" then
        g.contact.mu = self:input("mu." .. g.name, "scalar", "1", "1", "coefficient of friction of " .. g.name)[1]
      end
    end
    ::continue::
  end
  if run_time then
    local lo = ag.input("lo", "bounds", "N", "N m", "smallest nu of each row; -INFINITY: no bound", 1, "lo <= hi", {-math.huge})
    local hi = ag.input("hi", "bounds", "N", "N m", "largest nu of each row; INFINITY: no bound", 1, nil, {math.huge})
    local at = 0
    for _, g in ipairs(self.groups) do
      for k = 1, #g.rows do
        if State.bounds_at_run_time(g, k) then
          at = at + 1
          g.lo[k], g.hi[k] = lo[at], hi[at]
        end
      end
    end
  end
  for _, g in ipairs(self.joint_groups) do
    if g.coulomb == "input" then
      g.coulomb = self:input("friction", "joints", "N", "N m", "largest dry friction of each joint, at rest and in motion", 1, "%s >= 0")
    end
    if g.viscous == "input" then
      self.viscous = self:input("viscous", "joints", "N s/m", "N m s/rad", "coefficient of viscous friction of each joint")
    elseif g.viscous then
      for j, x in pairs(g.viscous) do self.viscous[j] = x end
    end
  end
end

-- Vectors between the axes of the base (a moving one's: of the world) and of a body: by the body's rotation, or
-- joint by joint.
function State:to_body(body, v)
  if spatial.is_zero(v) then return v end
  if body == 0 then return self.base and spatial.mul_transposed(self.base.R, v) or v end
  if self.poses then return spatial.mul_transposed(self.poses[body].R, v) end
  local b = self.robot.bodies[body]
  local key = body
  self.carried = self.carried or {}
  self.carried[key] = self.carried[key] or {}
  local cache = self.carried[key]
  if cache[v] then return cache[v] end
  local r = motion.to_body(b, self:to_body(b.parent, v))
  cache[v] = r
  return r
end

function State:to_base(body, v)
  if spatial.is_zero(v) then return v end
  if body == 0 then return self.base and spatial.mul(self.base.R, v) or v end
  if self.poses then return spatial.mul(self.poses[body].R, v) end
  local b = self.robot.bodies[body]
  return self:to_base(b.parent, motion.to_parent(b, v))
end

-- From now on Jacobians are made and vectors are turned as variant says {way, axes}: axes by the bodies' rotations,
-- "matrix", or joint by joint, "chain".
function State:follow(variant)
  self.variant = variant
  if variant.sums ~= nil and variant.sums ~= self.robot.sums then self.robot.sums, self.poses = variant.sums, nil end
  self.poses = variant.axes == "matrix" and (self.poses or motion.poses(self.robot)) or nil
end

function State:to_body_function() return function(body, v) return self:to_body(body, v) end end
function State:to_base_function() return function(body, v) return self:to_base(body, v) end end

-- How a group's Jacobian is made (constraints.lua); axes of the tip serve rows along them only.
function State:way(group)
  local way = group.tie and "wrench" or self.variant.way
  if way == "tip" and (group.axes ~= "link" or group.free) then way = self.poses and "base" or "wrench" end
  if way == "base" and not self.poses then way = "wrench" end
  return way
end

-- A row's unit force: {[body] = wrench about its origin in its axes}.
function State:row_wrenches(row)
  if row.group.tie then return row.group.tie:wrenches(row) end
  return {[row.group.frame.body] = constraints.wrench(row, self:to_body_function())}
end

-- J^T A of a row along a joint: a unit force there.
function State:unit_force(joint)
  local list = {}
  for c = 1, self.chain.nb + self.chain.nj do list[c] = 0 end
  list[self.chain.nb + joint] = 1
  return list
end

-- K of every row by the recursion: of a row along a joint, u of its unit force.
function State:project_rows(form)
  local on_frames, k = {}, {}
  for _, row in ipairs(self.rows) do
    if not row.joint then on_frames[#on_frames + 1] = row end
  end
  local projected, next_one = form:project_rows(on_frames, function(row) return self:row_wrenches(row) end), 0
  for j, row in ipairs(self.rows) do
    if row.joint then
      k[j] = form:free(self:unit_force(row.joint), {})
    else
      next_one = next_one + 1
      k[j] = projected[next_one]
    end
  end
  return k
end

-- J^T A by row and coordinate.
function State:jacobian()
  local J = {}
  local wrenches_of = function(row) return self:row_wrenches(row) end
  for _, g in ipairs(self.groups) do
    local part = {}
    if g.joints then
      for k, joint in ipairs(g.joints) do part[k] = self:unit_force(joint) end
    else
      part = constraints.jacobian(self.robot, g, self.rows, self:way(g), self:to_body_function(), self.poses, wrenches_of,
        g.tie and g.tie.stop)
    end
    for _, row in ipairs(self.rows) do
      if row.group == g then J[#J + 1] = part[row.k] end
    end
  end
  return J
end

-- A wrench in base axes at its frame, in the body's axes about the body's origin.
function State:wrench_on_body(w)
  local f, n = self:to_body(w.frame.body, w.f), self:to_body(w.frame.body, w.n)
  return {f = f, n = spatial.add(n, spatial.cross(w.frame.p, f))}
end

-- The wrenches given from outside, by body: of one kind.
function State:given_wrenches(kind)
  local list = {}
  for _, w in ipairs(self.wrenches) do
    if w.kind == kind and (w.frame.body > 0 or self.base) then
      ag.region("wrench: " .. w.name, w.name)
      motion.put_wrench(list, w.frame.body, self:wrench_on_body(w))
    end
  end
  return list
end

-- The wrenches that a motion takes of every body, and the same less the physical ones that are given.
function State:inertial_wrenches(motions)
  local wrenches = {}
  for i = self.base and 0 or 1, self.chain.n do
    local link = i > 0 and self.robot.bodies[i].link
    ag.region("outward: forces of " .. (link and link.name or self.base_name), link and link.id or "base")
    wrenches[i] = motion.inertial_wrench(self.inertias[i], motions[i])
  end
  return wrenches
end
function State:needed_wrenches(motions)
  local wrenches, given = self:inertial_wrenches(motions), self:given_wrenches("physical")
  for i = 0, self.chain.n do
    if given[i] then wrenches[i] = motion.sub_wrench(wrenches[i], given[i]) end
  end
  return wrenches
end

-- Viscous friction of joint i, against its motion.
function State:viscous_torque(i)
  local d = self.viscous and self.viscous[i] or 0
  return scalar.is_zero(d) and 0 or d * self.qd[i]
end

-- Joint torques that act besides the motors': tau_phys minus viscous friction.
function State:acting_torques()
  local tau = {}
  for i = 1, self.chain.nj do tau[i] = self.tau_phys[i] - self:viscous_torque(i) end
  return tau
end

-- By coordinate, from per joint: nothing on the base.
function State:by_coordinate(per_joint)
  local r = {}
  for c = 1, self.chain.nb do r[c] = 0 end
  for i = 1, self.chain.nj do r[self.chain.nb + i] = per_joint[i] end
  return r
end

-- Accelerations by coordinate from those that come in.
function State:given_vdot()
  local vdot = self.base and self.base:inward(self.base.acc) or {}
  for i = 1, self.chain.nj do vdot[self.chain.nb + i] = self.qdd[i] end
  return vdot
end

-- The robot at rest where it is: no velocities.
function State:still()
  local still = setmetatable({bodies = {}}, {__index = self.robot})
  for i, b in ipairs(self.robot.bodies) do still.bodies[i] = setmetatable({qd = 0}, {__index = b}) end
  still.base = self.base and {R = self.robot.base.R, w = spatial.zero, v = spatial.zero}
  return still
end

function State:twists()
  if not self.twists_made then self.twists_made = motion.twists(self.robot) end
  return self.twists_made
end

-- What every row sees of a motion: list over rows. gravity: that of the motion, where it is not the state's; vdot:
-- its accelerations by coordinate, nil: zero.
function State:seen(motions, gravity, vdot)
  local seen = {}
  for _, g in ipairs(self.groups) do
    ag.region("rows: acceleration along the rows of " .. g.name, g.name)
    local part
    if g.joints then
      part = {}
      for k, joint in ipairs(g.joints) do part[k] = vdot and vdot[self.chain.nb + joint] or 0 end
    elseif g.tie then
      part = g.tie:seen(self.rows, motions)
    else
      local twist = g.acceleration == "spatial" and self:twists()[g.frame.body] or nil
      local acceleration = constraints.frame_acceleration(g.frame, motions[g.frame.body], twist, g.acceleration)
      part = constraints.seen(g, self.rows, acceleration, gravity or self.gravity, self:to_base_function(), self:to_body_function())
    end
    for k = 1, #g.rows do seen[#seen + 1] = part[k] end
  end
  return seen
end

-- The motion with accelerations by coordinate on top of the one at vdot = 0. U only of the acceleration added.
function State:with_vdot(motions, vdot)
  if self.with_vdot_made then return self.with_vdot_made end
  local added = motion.added_accelerations(self.robot, vdot)
  local full = {}
  for i = 0, self.chain.n do
    local d, m = added[i], motions[i]
    -- [dw]x joins U
    local U = {
      {m.U[1][1], m.U[1][2] - d.w[3], m.U[1][3] + d.w[2]},
      {m.U[2][1] + d.w[3], m.U[2][2], m.U[2][3] - d.w[1]},
      {m.U[3][1] - d.w[2], m.U[3][2] + d.w[1], m.U[3][3]},
    }
    full[i] = {w = m.w, wd = spatial.add(m.wd, d.w), a = spatial.add(m.a, d.v), U = U}
  end
  self.with_vdot_made = full
  return full
end

local outputs = {
  qdd = {"joints", "m/s^2", "rad/s^2", "resulting joint acceleration"},
  nu = {"rows", "N", "N m", "magnitude of each row's constraint wrench; positive: along the row"},
  tau_ctrl = {"joints", "N", "N m", "torque to command: constraint and artificial torques"},
  tau_total = {"joints", "N", "N m", "joint-space torque D qdd (Vukcevic 2020, algorithm 2): for comparison, do not command"},
  tau_apparent = {"joints", "N", "N m", "S^T A nu with A projected through the distal joints: for comparison, do not command"},
  tau_friction = {"joints", "N", "N m", "friction of each joint, dry and viscous"},
  pivot_min = {"scalar", "1", "1", "smallest relative pivot of the rows: 1 far from a singular configuration, 0 at one"},
  pivot = {"rows", "1", "1", "relative pivot of each row: 1 independent of the other rows, 0 determined by them"},
  residual = {"rows", "m/s^2", "rad/s^2", "acceleration that results along each row, less b"},
  bound = {"joints", "m/s^2", "rad/s^2", "how far qdd can be from the exact solution, by rounding"},
  scale = {"scalar", "1", "1", "share of b of the artificial rows that the motors reach within their limits, 0 to 1; 0 too where not even none of it is within: torques are clamped"},
}

function State:wanted(name)
  for _, o in ipairs(self.layout.outputs) do
    if o == name then return true end
  end
  return false
end

-- terms: of what has no name of its own in State.terms_of.
function State:put(name, shape, linear, angular, doc, values, count, terms)
  if shape == "joints" and self.chain.nj == 0 then return end
  self.outputs[#self.outputs + 1] =
    {name = name, shape = shape, linear = linear, angular = angular, doc = doc, values = values, count = count, terms = terms}
end

-- values: a list, or a function that makes it when the layout asks for this output.
function State:output(name, values)
  if not self:wanted(name) then return end
  local o = outputs[name]
  if o[1] == "rows" and #self.rows == 0 then return end
  ag.region("output: " .. name, name)
  if type(values) == "function" then values = values() end
  self:put(name, o[1], o[2], o[3], o[4], values)
end

-- What bounds the errors of the accelerations vdot, where the layout asks for it; make: by coordinate.
function State:output_bound(vdot, make)
  if not self:wanted("bound") then return end
  ag.region("output: bound", "bound")
  local bounds, nb, n = make(), self.chain.nb, self.chain.nj
  self:output("bound", table.move(bounds, nb + 1, nb + n, 1, {}))
  if self.base then self.base:put_bound(bounds, vdot) end
end

-- What the joints without a motor and the base would have to give, by coordinate.
function State:output_unactuated(values)
  if self.base then
    self.base:put("base.wrench_ctrl", "wrench", values,
      "part of the artificial wrenches and rows that falls on " .. self.base_name .. ", which has no motor: wrench at its origin, axes of the world")
  end
  for i = 1, self.chain.nj do
    if self.passive[i] then
      local body = self.chain.bodies[self.chain.leader[i]]
      local joint, prismatic = body.link.joint, body.prismatic
      self:put("tau_unactuated." .. joint.id, "scalar", prismatic and "N" or "N m", "1",
        "part of the artificial wrenches and rows that falls on " .. joint.name .. ", which has no motor",
        {values[self.chain.nb + i]})
    end
  end
end

local function flat(...)
  local list = {}
  for _, v in ipairs {...} do
    for k = 1, 3 do list[#list + 1] = v[k] end
  end
  return list
end

-- acc, twist and pose of the frames that the layout names.
function State:output_frames(motions, vdot)
  local o = self.layout.frame_outputs
  for _, f in ipairs(o.acc) do
    ag.region("output: acceleration of " .. f.name, f.id)
    local full = self:with_vdot(motions, vdot)
    self:output_acceleration(f, full, o.acceleration, "acc.")
  end
  for _, f in ipairs(o.twist) do self:output_twist(f) end
  for _, f in ipairs(o.pose) do self:output_pose(f) end
end

-- prefix: "acc." or, for J-dot q-dot, "jdqd."
function State:output_acceleration(f, motions, kind, prefix)
  local body = f.frame.body
  local twist = kind == "spatial" and self:twists()[body] or nil
  local a = constraints.frame_acceleration(f.frame, motions[body], twist, kind)
  local lin, ang = spatial.add(self:to_base(body, a.lin), self.gravity), self:to_base(body, a.ang)
  self:put(prefix .. f.id, "acceleration", "m/s^2", "rad/s^2",
    kind .. " acceleration of " .. f.name .. " at its origin, " .. self.axes, flat(lin, ang))
end

function State:output_twist(f)
  ag.region("output: twist of " .. f.name, f.id)
  local t = self:twists()[f.frame.body]
  local v = spatial.add(t.v, spatial.cross(t.w, f.frame.p))
  self:put("twist." .. f.id, "twist", "m/s", "rad/s", "velocity of " .. f.name .. " at its origin, " .. self.axes,
    flat(self:to_base(f.frame.body, v), self:to_base(f.frame.body, t.w)))
end

function State:body_poses()
  if not self.poses then self.late_poses = self.late_poses or motion.poses(self.robot) end
  return self.poses or self.late_poses
end

function State:output_pose(f)
  ag.region("output: pose of " .. f.name, f.id)
  local body = self:body_poses()[f.frame.body]
  local p = spatial.add(body.p, spatial.mul(body.R, f.frame.p))
  local Rf = spatial.matmul(body.R, f.frame.R)
  local place = self.base and "pose of " .. f.name .. ", origin from that of " .. self.base_name .. ", axes of the world"
    or "pose of " .. f.name .. " in the base frame"
  self:put("pose." .. f.id, "pose", "m", "1", place, flat(p, Rf[1], Rf[2], Rf[3]))
end

-- Status bits. Those that the solve raises mean something for finite numbers only.
function State:status(name, condition)
  self.statuses[#self.statuses + 1] = {name = name, condition = condition}
end

function State:singular(condition)
  if #self.rows > 0 then self:status("SINGULAR", condition) end
end
-- D: the articulated inertias by coordinate; only run-time inertias can spoil them.
function State:check_positive(D)
  if not self.inertias_are_inputs then return end
  local bad = self.bad_payload or false
  self.bad_payload = nil
  for i = 1, #D do bad = scalar.lor(bad, scalar.lnot(scalar.lt(0, D[i]))) end
  self:status("NOT_POSITIVE", bad)
end

-- The size of what artificial wrenches and torques could load freedoms without motor with.
function State:force_scale()
  local reach = self.chain.reach
  local function weight(v) return scalar.abs(v[1]) + scalar.abs(v[2]) + scalar.abs(v[3]) end
  local forces = 0
  for _, w in ipairs(self.wrenches) do
    if w.kind == "artificial" then forces = forces + (reach * weight(w.f) + weight(w.n)) end
  end
  for i = 1, self.chain.nj do
    if self.passive[i] then forces = forces + scalar.abs(self.tau_art[i]) end
  end
  return forces
end

-- A share on a passive joint that is more than rounding leaves of the forces that could make it: artificial
-- rows and wrenches at their longest lever, and the joint's own torque.
function State:check_unactuated(unactuated, rows, nu)
  if next(self.passive) == nil and not self.base then return end
  ag.region("torques that would be needed where there is no motor", "unactuated")
  local reach = self.chain.reach
  local function weight(v) return scalar.abs(v[1]) + scalar.abs(v[2]) + scalar.abs(v[3]) end
  local forces = 0
  for j, row in ipairs(rows) do
    if row.group.kind == "artificial" then
      local lever = row.joint and 1 or reach * weight(row.dir.lin) + weight(row.dir.ang)
      forces = forces + lever * scalar.abs(nu[j])
    end
  end
  for _, w in ipairs(self.wrenches) do
    if w.kind == "artificial" then forces = forces + (reach * weight(w.f) + weight(w.n)) end
  end
  local rounding = self.single and 1e-5 or 1e-12
  local told, nb = false, self.chain.nb
  for c = 1, nb do
    local linear = nb == 3 and c <= 2 or nb == 6 and c <= 3
    told = scalar.lor(told, scalar.lt((linear and rounding / reach or rounding) * forces, scalar.abs(unactuated[c])))
  end
  for i = 1, self.chain.nj do
    if self.passive[i] then
      told = scalar.lor(told, scalar.lt(rounding * (forces + scalar.abs(self.tau_art[i])), scalar.abs(unactuated[nb + i])))
    end
  end
  self:status("UNACTUATED", told)
end

-- ---- how large numbers are ----

-- Whether it pays to ask for the sizes of inputs rather than for that of every result: the range of floats is too small for what
-- products of many numbers could be in theory.
function State:asks_for_sizes() return not self.single end

-- The exponents of 2 below which inputs are of moderate size: of joint positions, whose limit is above it, and of all others, in SI
-- units beyond what a robot is given.
function State:moderate_exponents() return math.floor(math.log(ag.largest_angle(self.single), 2)), 32 end

-- Boolean: all inputs are of moderate size.
function State:moderate()
  local of_positions, of_others = self:moderate_exponents()
  local lists, turns = {[of_positions] = {}, [of_others] = {}}, false
  for _, body in ipairs(self.robot.bodies) do turns = turns or not body.prismatic end
  for i, x in ipairs(self.all_inputs) do
    local list = lists[i <= #self.q and of_positions or of_others]
    list[#list + 1] = x
  end
  return scalar.moderate(lists, turns or self.base and self.base.yaw ~= nil)
end

-- Boolean: no result is infinite or NaN, on a way that is gone only where inputs are of moderate size (self.sizes): true unless a
-- division by nearly nothing is part of them. nil: they might overflow in theory; then the way is gone without asking for sizes.
function State:none_overflows(results)
  local nodes = {}
  for _, x in ipairs(results) do
    if not scalar.is_number(x) then nodes[#nodes + 1] = x end
  end
  local divisors, least = ag.bound_sizes(self.sizes.hold, nodes)
  if not divisors then
    ag.guard(ag.label(self.sizes.plain, "regular"))
    self.sizes = nil
    return nil
  end
  local finite = true
  for _, d in ipairs(divisors) do finite = scalar.land(finite, scalar.lor(scalar.lt(least, d), scalar.lt(d, -least))) end
  return finite
end

-- Declares outputs and status: torques are zero unless everything that came in and goes out is finite.
function State:finish_outputs()
  if #self.outputs == 0 then self.layout.no_output() end
  ag.region("test: are all inputs and outputs finite?", "finite")
  local results = {}
  for _, o in ipairs(self.outputs) do
    local unbounded = o.name == "lo" or o.name == "hi" or o.name == "bound" or o.name == "base.bound"
    for _, x in ipairs(unbounded and {} or o.values) do results[#results + 1] = x end
  end
  local finite = self.sizes and self:none_overflows(results)
  if not self.sizes then
    finite = scalar.all_finite(table.move(results, 1, #results, #self.all_inputs + 1, table.move(self.all_inputs, 1, #self.all_inputs, 1, {})))
  end
  for _, o in ipairs(self.outputs) do
    local values = o.values
    if holds_torques(o.name) then
      values = {}
      for k, x in ipairs(o.values) do values[k] = scalar.select(finite, x, 0) end
    end
    ag.output(o.name, o.shape, o.linear, o.angular, o.doc, values, o.count or 1, o.terms or State.terms_of(o.name), holds_torques(o.name))
  end
  for _, s in ipairs(self.statuses) do
    ag.status(s.name, scalar.land(finite, s.condition))
  end
  ag.status("NOT_FINITE", scalar.lnot(finite))
end

-- Ready for the outputs and status of another way to the same results.
function State:start_over()
  self.outputs, self.statuses, self.with_vdot_made = {}, {}, nil
end

-- bad: a condition beside those that all functions have, that the input means nothing.
function State:finish(bad)
  if self.bad_payload then
    self:status("NOT_POSITIVE", self.bad_payload, "a load that no body can be: a mass below zero, or a negative principal moment")
  end
  self:finish_outputs()
  ag.region("test: are all inputs within their ranges?", "bad")
  local limit = ag.largest_angle(self.single)
  bad = bad or false
  local moderate = self.sizes and 2.0 ^ self:moderate_exponents() or math.huge
  for i, b in ipairs(self.robot.bodies) do
    local ratio, offset = scalar.value(self.chain.ratio[i]), scalar.value(self.chain.offset[i])
    if math.abs(ratio) * moderate + math.abs(offset) > limit then
      bad = scalar.lor(bad, scalar.lor(scalar.lt(limit, b.q), scalar.lt(b.q, -limit)))
    end
  end
  if self.base then bad = scalar.lor(bad, self.base:bad_input(limit)) end
  for _, x in ipairs(self.inertia_parts) do bad = scalar.lor(bad, scalar.lt(ag.largest_inertia, scalar.abs(x))) end
  for _, c in ipairs(self.compliances or {}) do bad = scalar.lor(bad, scalar.lt(c, 0)) end
  for _, m in ipairs(self.masks or {}) do bad = scalar.lor(bad, scalar.lnot(scalar.lor(scalar.eq(m, 0), scalar.eq(m, 1)))) end
  ag.status("BAD_INPUT", bad)
end

return State
