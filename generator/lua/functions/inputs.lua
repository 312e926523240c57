-- SPDX-License-Identifier: MIT
-- inputs.lua: the inputs of every function, declared once: names, units, frames, ranges and meanings. Methods of the
-- state (state.lua).

local scalar = require "scalar"
local spatial = require "spatial"
local motion = require "motion"
local constraints = require "constraints"
local Gears = require "gears"

local Inputs = {}

-- Whether the compliance of row k of a layout's group comes at run time.
function Inputs.compliance_at_run_time(g, k) return g.compliance and g.compliance[k] == "input" or false end

-- Whether the bounds of row k of a group come at run time.
function Inputs.bounds_at_run_time(group, k) return group.lo and group.lo[k] == "input" or false end

local inertia_range = string.format("|%%s| <= %g", ag.largest_inertia)

local function vector(list, at) return spatial.vector {list[at + 1], list[at + 2], list[at + 3]} end

-- x: {name, shape, linear, angular: units; doc; count: of lists, free directions and maps; range: what its numbers must
-- be, beside finite, "%s" for their name; default: its numbers in NAME_F_IN_DEFAULT, one for all or one by one (nil:
-- 0)}.
function Inputs:input(x)
  local list = self:unbounded_input(x)
  for _, element in ipairs(list) do self.all_inputs[#self.all_inputs + 1] = element end
  return list
end

-- The same of one that need not be finite.
function Inputs:unbounded_input(x)
  if x.shape == "joints" and self.chain.nj == 0 then return {} end -- C has no arrays of length zero
  return ag.input(x)
end

-- Declares what a function takes. need: set of it beside q: qd, qdd, gravity, tau (the layout's physical and artificial
-- torques), one_tau (a single tau), wrenches ("physical": only those), rows, armature, inertia (the layout's run-time
-- ones), whole (inertias as they are, not regrouped), base_acc (the acceleration of a moving base), reference
-- (velocities and accelerations), bounds (of rows, and rows along joint axes), friction (of joints in motion), root
-- (the acceleration of a fixed base; solves, which need tau, take it, too).
function Inputs:read(need)
  local layout = self.layout
  local axes = "axes of " .. (self.chain.nb > 0 and "the world" or "{" .. self.base_name .. "}")
  self.q = self:input {
    name = "q", shape = "joints", linear = "m", angular = "rad",
    doc = "joint position",
    range = self:angle_range(),
  }
  self:read_balls()
  self:read_linkages()
  if need.qd then
    self.qd = self:input {name = "qd", shape = "joints", linear = "m/s", angular = "rad/s", doc = "joint velocity"}
  end
  if need.qdd then
    self.qdd = self:input {name = "qdd", shape = "joints", linear = "m/s^2", angular = "rad/s^2",
      doc = "joint acceleration"}
  end
  if need.reference then self:read_reference() end
  if need.signs then
    self.signs = self:input {
      name = "sign", shape = "joints", linear = "1", angular = "1",
      doc = "direction in which the joint moves, -1 to 1: what its dry friction is multiplied by",
    }
  end
  if need.gravity then self:read_gravity(axes) end
  if (need.root or need.tau) and layout.root_acceleration then self:read_root(axes) end
  self:read_torques(need)
  self:read_armature(need)
  self.wrenches = {}
  if need.wrenches then self:read_wrenches(axes, need.wrenches == "physical") end
  self.groups, self.rows = {}, {}
  if need.rows then self:read_rows(layout, axes, need.rows == "without set-points") end
  if need.bounds then self:read_bounds(layout) end
  if need.friction then self:read_friction_in_motion(layout) end
  self:read_inertias(need)
  if need.inertia then self:read_payloads(layout) end
end

-- The rotations of ball joints.
function Inputs:read_balls()
  self.balls = {}
  for k, ball in ipairs(self.chain.balls) do
    local quat = self:input {
      name = "ball." .. ball.id, shape = "quaternion", linear = "1", angular = "1",
      doc = "rotation of the ball joint " .. ball.name .. ", of its child in its parent, norm 1",
      range = "norm of %s 1 within 1e-6",
      default = {1, 0, 0, 0},
    }
    self.balls[k] = {body = ball.body, quat = quat}
  end
end

-- Velocities and accelerations that a law of control refers to.
function Inputs:read_reference()
  self.qd_r = self:input {
    name = "qd_r", shape = "joints", linear = "m/s", angular = "rad/s", doc = "reference velocity of the joint",
  }
  self.qdd_r = self:input {
    name = "qdd_r", shape = "joints", linear = "m/s^2", angular = "rad/s^2",
    doc = "reference acceleration of the joint",
  }
end

-- The acceleration of a fixed base: that of its link's origin, which has no velocity.
function Inputs:read_root(axes)
  local x = self:input {
    name = "root_acc", shape = "acceleration", linear = "m/s^2", angular = "rad/s^2",
    doc = "acceleration of " .. self.base_name .. " at its origin, " .. axes .. ": gravity is no part of it",
  }
  self.root = {v = vector(x, 0), w = vector(x, 3)}
end

function Inputs:read_gravity(axes)
  local layout, nb = self.layout, self.chain.nb
  if layout.gravity == "input" then
    self.gravity = spatial.vector(self:input {
      name = "gravity", shape = "vector", linear = "m/s^2", angular = "",
      doc = "gravity, " .. axes .. (nb > 0 and ": 0 0 -9.81 where z is up" or ": 0 0 -9.81 on a level table"),
      default = {0, 0, -9.81},
    })
  else
    self.gravity = layout.gravity
  end
end

function Inputs:read_torques(need)
  local layout = self.layout
  self.tau_phys, self.tau_art = {}, {}
  for i = 1, self.chain.nj do self.tau_phys[i], self.tau_art[i] = 0, 0 end
  if need.tau then
    if layout.torques.physical then
      self.tau_phys = self:input {
        name = "tau_phys", shape = "joints", linear = "N", angular = "N m",
        doc = "joint torque that acts besides the motors' (friction, a spring)",
      }
    end
    if layout.torques.artificial then
      self.tau_art = self:input {
        name = "tau_art", shape = "joints", linear = "N", angular = "N m",
        doc = "feed-forward torque, added to the constraint torques",
      }
    end
  end
  if need.one_tau then
    self.tau = self:input {name = "tau", shape = "joints", linear = "N", angular = "N m", doc = "joint torque"}
  end
end

function Inputs:read_armature(need)
  local layout, chain = self.layout, self.chain
  self.armature = {}
  for i = 1, chain.nj do self.armature[i] = 0 end
  for i in pairs(layout.armature ~= "input" and chain.dependent or {}) do -- which velocities accelerate, too
    if layout.armature[i] then
      self.rotors = self.rotors or {}
      self.rotors[i] = layout.armature[i]
    end
  end
  if not need.armature then return end
  if layout.armature == "input" then
    self.armature = self:input {
      name = "armature", shape = "joints", linear = "kg", angular = "kg m^2",
      doc = "rotor inertia as the joint feels it: the rotor's times the gear ratio squared",
      range = inertia_range,
    }
    self.inertias_are_inputs = true
    for _, d in ipairs(self.armature) do self.inertia_parts[#self.inertia_parts + 1] = d end
  else
    for i, d in ipairs(motion.per_joint(chain, motion.scaled_by_ratio(chain, layout.armature))) do
      self.armature[i] = d
    end
  end
  if layout.gears then self.armature = Gears.sum(1, self.armature, 1, layout.gears.rotors) end
end

function Inputs:read_wrenches(axes, physical_only)
  for _, w in ipairs(self.layout.wrenches) do
    if not physical_only or w.kind == "physical" then
      local verb = w.kind == "artificial" and "wrench for the motors to exert on " or "wrench that acts on "
      local list = self:input {
        name = w.name, shape = "wrench", linear = "N", angular = "N m",
        doc = verb .. w.frame_name .. ", at its origin, " .. axes,
      }
      self.wrenches[#self.wrenches + 1] =
        {name = w.name, kind = w.kind, frame = w.frame, f = vector(list, 0), n = vector(list, 3)}
    end
  end
end

-- The bodies' inertias: those of the model, and what the layout gives at run time.
function Inputs:read_inertias(need)
  local chain = self.chain
  self.inertias = {}
  for i = chain.nb > 0 and 0 or 1, chain.n do
    local b = chain.bodies[i]
    self.inertias[i] = need.whole and b.whole_inertia or b.inertia
  end
  for _, link in ipairs(need.inertia and self.layout.inertia_inputs or {}) do
    self.inertias_are_inputs = true
    local x = self:input {
      name = "inertia." .. link.id, shape = "inertia", linear = "", angular = "",
      doc = "inertia of " .. link.name .. " about the origin of its frame, along the axes of its frame",
      range = inertia_range,
      default = link.default,
    }
    for _, part in ipairs(x) do self.inertia_parts[#self.inertia_parts + 1] = part end
    local own = {m = x[1], h = vector(x, 1), I = {x[5], x[6], x[7], x[8], x[9], x[10]}}
    local at = link.frame.body
    if self.inertias[at] then
      self.inertias[at] = spatial.add_inertia(self.inertias[at], spatial.inertia_to(link.frame, own))
    end
  end
end

-- Pose and motion of a moving base: {yaw}, {R} or {quat}; twist; acc.
function Inputs:read_base(need)
  local given, name, six = {}, self.base_name, self.chain.nb == 6
  local world = name .. " at its origin, axes of the world"
  if not six then
    given.yaw = self:input {
      name = "base.yaw", shape = "yaw", linear = "rad", angular = "rad",
      doc = "angle about z of " .. name .. " in the world",
      range = self:angle_range(),
    }[1]
  elseif self.layout.orientation == "matrix" then
    local x = self:input {
      name = "base.rot", shape = "rotation", linear = "1", angular = "1",
      doc = "rotation of " .. name .. " in the world: its columns are the axes of " .. name,
      default = {1, 0, 0, 0, 1, 0, 0, 0, 1},
    }
    given.R = spatial.matrix {vector(x, 0), vector(x, 3), vector(x, 6)}
  else
    given.quat = self:input {
      name = "base.quat", shape = "quaternion", linear = "1", angular = "1",
      doc = "rotation of " .. name .. " in the world, norm 1",
      range = "norm of %s 1 within 1e-6",
      default = {1, 0, 0, 0},
    }
  end
  if need.qd then
    given.twist = self:input {
      name = "base.twist", shape = six and "twist" or "planar", linear = "m/s", angular = "rad/s",
      doc = "velocity of " .. world,
    }
  end
  if need.base_acc then
    given.acc = self:input {
      name = "base.acc", shape = six and "acceleration" or "planar", linear = "m/s^2", angular = "rad/s^2",
      doc = "classical acceleration of " .. world,
    }
  end
  if need.reference then
    given.twist_r = self:input {
      name = "base.twist_r", shape = six and "twist" or "planar", linear = "m/s", angular = "rad/s",
      doc = "reference velocity of " .. world,
    }
    given.acc_r = self:input {
      name = "base.acc_r", shape = six and "acceleration" or "planar", linear = "m/s^2", angular = "rad/s^2",
      doc = "reference acceleration of " .. world,
    }
  end
  return given
end

function Inputs:angle_range()
  return string.format("|%%s| <= 1e%d", math.floor(math.log(ag.largest_angle(self.single), 10) + 0.5))
end

-- bare: without set-points.
function Inputs:read_rows(layout, axes, bare)
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
  local b = bare and {} or self:input {
    name = "b", shape = "set_points", linear = "m/s^2", angular = "rad/s^2",
    doc = "desired acceleration along each row; 0 at rest: gravity is no part of it",
  }
  local any_mask, at = false, 0
  for gi, g in ipairs(self.groups) do
    for k = 1, #g.rows do g.b[k] = b[at + k] end
    at = at + #g.rows
    any_mask = any_mask or layout.groups[gi].maskable
  end
  if limits then limits.given_b = table.move(b, at + 1, #b, 1, {}) end
  if any_mask then
    local mask = self:input {
      name = "mask", shape = "masks", linear = "1", angular = "1",
      doc = "1: constraint active, 0: direction unconstrained",
      range = "%s 0 or 1",
      default = {1},
    }
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
  if not bare then self:read_weights(layout) end
  for _, g in ipairs(self.groups) do
    if g.axes == "input" and not g.free then
      local x = self:input {
        name = "axes." .. g.name, shape = "rotation", linear = "1", angular = "1",
        doc = "rotation of the axes of group " .. g.name .. ", " .. axes .. ": its columns are the axes",
        default = {1, 0, 0, 0, 1, 0, 0, 0, 1},
      }
      g.rotation = spatial.matrix {vector(x, 0), vector(x, 3), vector(x, 6)}
    elseif g.free then
      local x = self:input {
        name = "dir." .. g.name, shape = "directions", linear = "1", angular = "1",
        doc = "free directions of group " .. g.name .. ", " .. axes,
        count = #g.rows,
      }
      g.directions = {}
      for k = 1, #g.rows do
        g.directions[k] = {lin = vector(x, 6 * k - 6), ang = vector(x, 6 * k - 3)}
      end
    end
  end
  self.rows = constraints.list(self.groups)
end

-- Compliance of soft rows: constants, or inputs, of which one below 0 is a bad input and counts as 0.
function Inputs:read_compliance(layout)
  local any = false
  for gi, g in ipairs(self.groups) do
    local from = layout.groups[gi].compliance
    for k = 1, #g.rows do any = any or Inputs.compliance_at_run_time(layout.groups[gi], k) end
    g.compliance = from and table.move(from, 1, #g.rows, 1, {})
    self.soft = self.soft or from ~= nil
  end
  if not any then return end
  local given = self:input {
    name = "compliance", shape = "compliances", linear = "1/kg", angular = "1/(kg m^2)",
    doc = "compliance c of each soft row: A^T a - b = -c nu; 0: rigid",
    range = "%s >= 0",
  }
  self.compliances = given
  local at = 0
  for gi, g in ipairs(self.groups) do
    for k = 1, #g.rows do
      if Inputs.compliance_at_run_time(layout.groups[gi], k) then
        at = at + 1
        g.compliance[k] = scalar.max(0, given[at])
      end
    end
  end
end

-- The weights of drivers (drivers.lua): constants, or inputs of all drivers of the layout.
function Inputs:read_weights(layout)
  local any = false
  for gi, g in ipairs(self.groups) do
    local from = layout.groups[gi].weights
    g.weights = from == "input" and {} or from
    any = any or from == "input"
  end
  self.weights = {}
  for _, name in ipairs(any and layout.drivers or {}) do
    local given = self:input {
      name = "weight." .. name, shape = "weights", linear = "1", angular = "1",
      doc = "how much of what " .. name .. " causes along each row that row makes up for: 1: all, 0: it passes",
      range = "%s from 0 to 1",
      default = {1},
    }
    local at = 0
    for gi, g in ipairs(self.groups) do
      if layout.groups[gi].weights == "input" then
        g.weights[name] = table.move(given, at + 1, at + #g.rows, 1, {})
        at = at + #g.rows
      end
    end
    table.move(given, 1, #given, #self.weights + 1, self.weights)
  end
end

-- Loads that come at run time, added to the bodies that carry them.
function Inputs:read_payloads(layout)
  for _, p in ipairs(layout.payloads) do
    if p.at_run_time then
      local function given(word, shape, unit, doc)
        return p[word] == "input" and self:input {
          name = p.name .. "." .. word, shape = shape, linear = unit, angular = unit,
          doc = doc,
        } or p[word]
      end
      local m = given("mass", "scalar", "kg", "mass of the load at " .. p.frame_name)
      local c = given("com", "vector", "m",
        "its centre of mass, from the origin of " .. p.frame_name .. ", along its axes")
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
function Inputs:check_payload(m, I)
  local bad = scalar.lt(m, 0)
  if I then
    local size = scalar.abs(I[1]) + scalar.abs(I[4]) + scalar.abs(I[6])
    local rounding = (self.single and 1e-4 or 1e-9) * size * size
    local function minor(a, b, c) return I[a] * I[b] - I[c] * I[c] end
    for _, k in ipairs {1, 4, 6} do bad = scalar.lor(bad, scalar.lt(I[k], 0)) end
    for _, two in ipairs {minor(1, 4, 2), minor(1, 6, 3), minor(4, 6, 5)} do
      bad = scalar.lor(bad, scalar.lt(two, -rounding))
    end
    local det = I[1] * minor(4, 6, 5) - I[2] * (I[2] * I[6] - I[5] * I[3]) + I[3] * (I[2] * I[5] - I[4] * I[3])
    bad = scalar.lor(bad, scalar.lt(det, -(rounding * size)))
  end
  self.bad_payload = self.bad_payload and scalar.lor(self.bad_payload, bad) or bad
end

-- Of a group whose forces are realised within limits (qp.lua): its contact, priority, weight and wanted forces.
function Inputs:read_contact(g, from)
  g.priority, g.weight = from.priority, from.weight
  g.contact = from.contact and setmetatable({}, {__index = from.contact})
  if g.contact and g.contact.mu == "input" then
    g.contact.mu = self:input {
      name = "mu." .. g.name, shape = "scalar", linear = "1", angular = "1",
      doc = "coefficient of friction of " .. g.name,
      range = "%s >= 0",
    }[1]
  end
  if from.upper then
    g.upper = self:input {
      name = "upper." .. g.name, shape = "list", linear = "m/s^2", angular = "rad/s^2",
      doc = "largest acceleration along each row of " .. g.name .. ", whose least is b",
      range = "%s >= b", count = #g.rows,
    }
  end
  if from.wanted then
    local points = g.contact and g.contact.points
    local where = points and "at each point of " .. g.name .. ", three numbers a point, axes of its frame" or
      "along each row of " .. g.name
    g.wanted = self:input {
      name = "wanted." .. g.name, shape = "list", linear = "N", angular = "N m",
      doc = "force that the environment is to exert " .. where,
      count = points and 3 * #points or #g.rows,
    }
  end
end

-- Friction in motion is by default that at rest, which the layout gives; nil: it does not.
local function breakaway_by_joint(chain, breakaway)
  if type(breakaway) ~= "table" then return nil end
  local list = {}
  for j = 1, chain.nj do list[j] = breakaway[j] or 0 end
  return list
end

-- Friction of joints, and the period of the steps in which it stops them.
function Inputs:read_friction()
  local period -- of all of it
  for _, g in ipairs(self.joint_groups) do
    g.breakaway_at_run_time = g.coulomb == "input" or g.breakaway == "input"
    g.period_at_run_time = g.period == "input"
    if g.coulomb == "input" then
      g.coulomb = self:input {
        name = "friction", shape = "joints", linear = "N", angular = "N m",
        doc = g.breakaway and "dry friction of each joint in motion" or
          "largest dry friction of each joint, at rest and in motion",
        range = "%s >= 0",
        default = breakaway_by_joint(self.chain, g.breakaway),
      }
    end
    if g.breakaway == "input" then
      g.breakaway = self:input {
        name = "breakaway", shape = "joints", linear = "N", angular = "N m",
        doc = "largest dry friction of each joint at rest",
        range = "%s >= friction",
      }
    end
    if g.period == "input" then
      period = period or self:input {
        name = "period", shape = "scalar", linear = "s", angular = "s",
        doc = "period of the steps in which friction stops a joint",
        range = "%s > 0",
        default = {1e-3},
      }[1]
      g.period = period
    end
    if g.viscous == "input" then
      self.viscous = self:input {
        name = "viscous", shape = "joints", linear = "N s/m", angular = "N m s/rad",
        doc = "coefficient of viscous friction of each joint",
      }
    elseif g.viscous then
      for j, x in pairs(g.viscous) do self.viscous[j] = x end
    end
  end
  self.viscous_of_joints = self.viscous
  if self.layout.gears then self.viscous = Gears.sum(1, self.viscous, 1, self.layout.gears.damping) end
end

-- Friction of joints in motion, without rows along them: {coulomb = by joint, threshold}, or nil; self.viscous.
function Inputs:read_friction_in_motion(layout)
  self.joint_groups, self.viscous = {}, scalar.zeros(self.chain.nj)
  for _, g in ipairs(layout.joint_groups) do
    if g.coulomb then
      self.joint_groups[1] = {coulomb = g.coulomb, viscous = g.viscous, threshold = g.threshold}
    end
  end
  self:read_friction()
  self.friction = self.joint_groups[1]
  if layout.gears and layout.gears:damps() then self.friction = self.friction or {coulomb = {}, threshold = 1} end
end

-- Bounds of rows and friction that come at run time, beside those of the layout. Infinite bounds are numbers here.
function Inputs:read_bounds(layout)
  local none = {}
  for i = 1, self.chain.nj do none[i] = 0 end
  self.viscous, self.bounds_in = none, {}
  local run_time = false
  for gi, g in ipairs(self.groups) do
    local from = layout.groups[gi]
    g.lo, g.hi = from.lo and table.move(from.lo, 1, #from.lo, 1, {}),
      from.hi and table.move(from.hi, 1, #from.hi, 1, {})
    if layout.optimum then
      self:read_contact(g, from)
      goto continue
    end
    g.contact = from.contact and
      {threshold = from.contact.threshold, mu = from.contact.mu, normal_row = from.contact.normal}
    for k = 1, #g.rows do run_time = run_time or Inputs.bounds_at_run_time(g, k) end
    if g.contact and g.contact.mu then
      g.contact.normal = self:input {
        name = "normal." .. g.name, shape = "scalar", linear = "N", angular = "N",
        doc = "normal force at the contact of " .. g.name .. ", measured or from the last cycle; negative: no contact",
      }[1]
      if g.contact.mu == "input" then
        g.contact.mu = self:input {
          name = "mu." .. g.name, shape = "scalar", linear = "1", angular = "1",
          doc = "coefficient of friction of " .. g.name,
        }[1]
      end
    end
    ::continue::
  end
  if run_time then
    local lo = self:unbounded_input {
      name = "lo", shape = "bounds", linear = "N", angular = "N m",
      doc = "smallest nu of each row; -INFINITY: no bound",
      range = "lo <= hi",
      default = {-math.huge},
    }
    local hi = self:unbounded_input {
      name = "hi", shape = "bounds", linear = "N", angular = "N m",
      doc = "largest nu of each row; INFINITY: no bound",
      default = {math.huge},
    }
    local at = 0
    for _, g in ipairs(self.groups) do
      for k = 1, #g.rows do
        if Inputs.bounds_at_run_time(g, k) then
          at = at + 1
          g.lo[k], g.hi[k] = lo[at], hi[at]
        end
      end
    end
  end
  self:read_friction()
end

-- What achd_mclp found, for the derivatives of its answer: nu, and at which bound each row is.
function Inputs:read_answer()
  local nu = self:input {
    name = "nu", shape = "rows", linear = "N", angular = "N m",
    doc = "constraint force of each row, solved by achd_mclp",
  }
  local side = self:input {
    name = "side", shape = "rows", linear = "1", angular = "1",
    doc = "where each row is, as achd_mclp tells: -1 at lo, 1 at hi, 0 in between",
    range = "%s -1, 0 or 1",
  }
  return nu, side
end

-- The affine parts of outputs (affine.lua) that function `of` put out: lists y_0 and y_x by the names of the outputs.
-- shape: of the maps; unknowns: how long one is for each value, nil: its shape says so.
function Inputs:read_parts(of, parts, shape, unknowns)
  local free, map = {}, {}
  for _, p in ipairs(parts) do
    local o = p.whole
    free[o.name] = self:input {
      name = of .. "." .. p.free, shape = o.shape, linear = o.linear, angular = o.angular, doc = "", count = o.count,
    }
    if p.mapped then
      map[o.name] = self:input {
        name = of .. "." .. p.map, shape = shape, linear = "1", angular = "1", doc = "",
        count = (unknowns or 1) * p.count,
      }
    end
  end
  return free, map
end

-- Nu, and the problem that achd_mclp solved, as mclp put it out: {L, free, map, r, c, lo, hi}. info: of mclp.
function Inputs:read_bounded_solution(info)
  local function given(name, shape)
    return {name = "mclp." .. name, shape = shape, linear = "1", angular = "1", doc = ""}
  end
  local x = {}
  x.nu = self:input {
    name = "nu", shape = "rows", linear = "N", angular = "N m",
    doc = "constraint force of each row, solved by achd_mclp",
  }
  x.L = self:input(given("L", "rows_packed"))
  x.free, x.map = self:read_parts("mclp", info.parts, "map")
  x.r = self:input(given("r", "rows"))
  x.c = info.soft and self:input(given("compliance", "rows")) or {}
  x.lo, x.hi = self:unbounded_input(given("lo", "rows")), self:unbounded_input(given("hi", "rows"))
  return x
end

-- The scale of the forces, as mclp put it out.
function Inputs:read_force_scale()
  return self:input({name = "mclp.forces", shape = "scalar", linear = "1", angular = "1", doc = ""})[1]
end

-- The unknowns that achd_qp found, and the parts of the outputs that qp put out. info: of qp.
function Inputs:read_optimum(info)
  local x = self:input {
    name = "x", shape = "list", linear = "1", angular = "1",
    doc = info.slips and
      "unknowns, solved by achd_qp_friction: torques of motors and friction at rest, shares of contact forces, slips" or
      "unknowns, solved by achd_qp: torques of the motors, then shares of contact forces",
    count = info.unknowns,
  }
  local free, map = self:read_parts("qp", info.parts, "list", info.unknowns)
  return x, free, map
end

return Inputs
