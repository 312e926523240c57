-- SPDX-License-Identifier: MIT
-- state.lua: what every function of a header shares: its inputs, the robot in that state, frames and axes, outputs and
-- status. What comes in is declared in inputs.lua, what goes out in output_table.lua, what the status says in
-- status.lua.

local scalar = require "scalar"
local spatial = require "spatial"
local motion = require "motion"
local constraints = require "constraints"
local Tie = require "ties"
local Base = require "moving_base"
local Gears = require "gears"
local Loops = require "loops"

local State = {}
State.__index = State
for _, part in ipairs {require "inputs", require "outputs", require "status", Loops} do
  for name, method in pairs(part) do State[name] = method end
end

-- variant: {formulation, way, axes, leaf, sums} (main.lua). need: what the function takes (inputs.lua).
function State.new(context, variant, need)
  local layout, chain = context.layout, context.chains[variant.leaf]
  local self = setmetatable({
    layout = layout, chain = chain, variant = variant, single = context.single, base_name = context.base_name,
    axes = chain.nb > 0 and "axes of the world" or "axes of the base", passive = layout.passive, effort = layout.effort,
    all_inputs = {}, outputs = {}, statuses = {}, inertia_parts = {},
  }, State)
  self:read(need)
  if chain.nb > 0 then self.base = Base.new(chain.nb, self:read_base(need)) end
  self.robot = self:robot_in_state()
  if variant.axes == "matrix" then self.poses = motion.poses(self.robot) end
  for _, g in ipairs(self.groups) do
    if g.to then g.tie = Tie.new(self.robot, g) end
  end
  return self
end

-- The robot with the sines and cosines of its joints (motion.lua).
function State:robot_in_state()
  local chain = self.chain
  ag.region("sine and cosine of the joints")
  local trig, q = {c = {}, s = {}, turn = {}}, motion.per_body(chain, self.q)
  for i = 1, chain.n do
    q[i] = q[i] + chain.offset[i]
    if not chain.bodies[i].prismatic and not chain.bodies[i].ball and not chain.dependent[i] then
      trig.s[i] = ag.label(scalar.sin(q[i]), "s" .. i)
      trig.c[i] = ag.label(scalar.cos(q[i]), "c" .. i)
    end
  end
  for _, ball in ipairs(self.balls) do
    local link = chain.bodies[ball.body].link
    ag.region("rotation of " .. link.joint.ball_name, link.id)
    trig.turn[ball.body], ball.norm2 = Base.rotation_of(ball.quat)
  end
  self.trig = trig
  local base, qd = self.base and self.base:motion(), nil
  chain, qd = self:close_linkages(q, trig)
  local robot = motion.robot(chain, q, qd, trig, base)
  robot.rotors = self.rotors
  robot.sums = self.variant.sums
  return robot
end

-- What a function without a robot in it needs.
function State.bare(context)
  return setmetatable({
    layout = context.layout, chain = context.chains.link, single = context.single, rows = {true},
    all_inputs = {}, outputs = {}, statuses = {},
  }, State)
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
  if body == 0 then return self.base and self.base.R * v or v end
  if self.poses then return self.poses[body].R * v end
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
      part = constraints.jacobian(self.robot, g, self.rows, self:way(g), {
        to_body = self:to_body_function(), poses = self.poses, wrenches_of = wrenches_of, stop = g.tie and g.tie.stop,
      })
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
  return {f = f, n = n + spatial.cross(w.frame.p, f)}
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
  for i, d in pairs(self.rotors or {}) do -- of dependent joints
    wrenches.along = wrenches.along or {}
    wrenches.along[i] = d * motions.rates[i]
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

-- Viscous friction of joint i, and of the motors that turn with it, against its motion.
function State:viscous_torque(i) return self.viscous and Gears.row_times(self.viscous, i, self.qd) or 0 end

-- Joint torques that act besides the motors': tau_phys, less viscous friction, and rubbed (qp_friction.lua).
function State:acting_torques()
  local tau, rubbed = {}, self.rubbed or {}
  for i = 1, self.chain.nj do tau[i] = self.tau_phys[i] - self:viscous_torque(i) + (rubbed[i] or 0) end
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

-- Reference velocities and accelerations by coordinate.
function State:given_reference()
  local base, nb = self.base, self.chain.nb
  local v, vdot = base and base:inward(base.twist_r) or {}, base and base:inward(base.acc_r) or {}
  for i = 1, self.chain.nj do v[nb + i], vdot[nb + i] = self.qd_r[i], self.qdd_r[i] end
  return v, vdot
end

-- The robot at rest where it is: no velocities.
function State:still()
  local robot, still = self.robot, {bodies = {}, chain = setmetatable({drift = false}, {__index = self.robot.chain})}
  for i, b in ipairs(self.robot.bodies) do still.bodies[i] = setmetatable({qd = 0}, {__index = b}) end
  still.base = self.base and {R = self.robot.base.R, w = spatial.zero, v = spatial.zero}
  return setmetatable(still, {__index = robot})
end

function State:twists()
  if not self.twists_made then self.twists_made = motion.twists(self.robot) end
  return self.twists_made
end

-- What rows of a group on one frame see of a motion: by row of the group. gravity: that of the motion, where it is not
-- the state's; still: nothing moves.
function State:seen_by(group, rows, motions, gravity, still)
  ag.region("rows: acceleration along the rows of " .. group.name, group.name)
  local kind = still and "classical" or group.acceleration
  local twist = kind == "spatial" and self:twists()[group.frame.body] or nil
  local acceleration = constraints.frame_acceleration(group.frame, motions[group.frame.body], twist, kind)
  return constraints.seen(group, rows, acceleration, gravity or self.gravity, self:to_base_function(),
    self:to_body_function())
end

-- What every row sees of a motion: list over rows. gravity: that of the motion, where it is not the state's; vdot:
-- its accelerations by coordinate, nil: zero.
function State:seen(motions, gravity, vdot, still)
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
      part = self:seen_by(g, self.rows, motions, gravity, still)
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
    full[i] = {w = m.w, wd = m.wd + d.w, a = m.a + d.v, U = U}
  end
  self.with_vdot_made = full
  return full
end

-- Ready for the outputs and status of another way to the same results.
function State:start_over()
  self.outputs, self.statuses, self.with_vdot_made = {}, {}, nil
end

-- J^T A of a row of a motor: a unit torque there.
function State:unit_torque(motor)
  local list = scalar.zeros(self.chain.nb + self.chain.nj)
  table.move(self.layout.gears.G[motor], 1, self.chain.nj, self.chain.nb + 1, list)
  return list
end

return State
