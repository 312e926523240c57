-- SPDX-License-Identifier: MIT
-- middle.lua: a chain whose tool's motion is given, seen from a body in its middle.
--
-- In the axes and at the origin of body k the columns of the tool's Jacobian that belong to joint k and to the next one
-- are constants, and the others take half the way. What velocities alone cause comes from both ends: from the base
-- outward, and from the tool, whose acceleration is given, inward. Where the two meet,
--     J qdd = c = (acceleration of body k from the tool) - (from the base)
-- and whatever qdd satisfies this, the body's acceleration from either end is the same.

local spatial = require "spatial"
local motion = require "motion"

local Middle = {}
Middle.__index = Middle

-- robot: motion.robot; body: the tool's; place: the how-many-eth body of its path from the base is in the middle.
function Middle.new(robot, body, place)
  local path = motion.way(robot, body, 0)
  local n = #path
  for i = 1, n // 2 do path[i], path[n + 1 - i] = path[n + 1 - i], path[i] end
  return setmetatable({robot = robot, path = path, place = place, body = path[place], tool = body}, Middle)
end

local function six(m) return {m.v[1], m.v[2], m.v[3], m.w[1], m.w[2], m.w[3]} end

-- J by row, linear x y z before angular, over the joints.
function Middle:jacobian()
  local chain, J = self.robot.chain, {}
  for r = 1, 6 do
    J[r] = {}
    for c = 1, chain.nj do J[r][c] = 0 end
  end
  for at, i in ipairs(self.path) do
    local b = self.robot.bodies[i]
    ag.region("rows: axis of " .. b.link.joint.name .. " in the frame of " .. self.robot.bodies[self.body].link.name,
      b.link.id)
    local m = motion.add_joint(b, {w = spatial.zero, v = spatial.zero}, 1)
    for k = at + 1, self.place do m = motion.carry(self.robot.bodies[self.path[k]], m) end
    for k = at, self.place + 1, -1 do m = motion.carry_inward(self.robot.bodies[self.path[k]], m) end
    motion.hint_vector(m.w, "axis")
    motion.hint_vector(m.v, "lever")
    local j = chain.joint_of[i]
    for r, x in ipairs(six(m)) do J[r][j] = J[r][j] + chain.ratio[i] * x end
  end
  return J
end

-- From the motion of a body the part of its acceleration that the joint's own velocity makes: {wd, a}.
-- w: of the body; of a ball that of what carries it.
local function joint_part(b, w, U)
  local turning = spatial.vector {w[2] * b.qd, -(w[1] * b.qd), 0}
  if not b.prismatic then return turning, spatial.zero end
  return spatial.zero, b.q * spatial.column(U, 3) + 2 * turning
end

-- c. outward: the motions at qdd = 0 from the base (motion.accelerations); wd, a: the given acceleration of the tool's
-- body at its origin in its axes, -g in it. Keeps the motions at qdd = 0 from the tool.
function Middle:meet(outward, wd, a)
  local inward, i = {}, self.tool
  inward[i] = {w = outward[i].w, wd = wd, a = a}
  for _ = self.place + 1, #self.path do
    local b = self.robot.bodies[i]
    ag.region("inward: acceleration, " .. b.link.name .. " -> " .. b.link.joint.name, b.link.id)
    local from, p = inward[i], b.parent
    local own_wd, own_a = joint_part(b, outward[i].outer or from.w,
      motion.acceleration_tensor(from.w, from.wd))
    local w = outward[p].w
    local to_wd = motion.to_parent(b, from.wd - own_wd)
    local lever = motion.acceleration_tensor(w, to_wd) * b.p
    inward[p] = {w = w, wd = to_wd, a = motion.to_parent(b, from.a - own_a) - lever}
    motion.hint_vector(inward[p].wd, "wd_back")
    motion.hint_vector(inward[p].a, "a_back")
    i = p
  end
  self.outward, self.inward = outward, inward
  ag.region("rows: accelerations from the base and from the tool, where they meet", "rows")
  return six {
    w = inward[self.body].wd - outward[self.body].wd,
    v = inward[self.body].a - outward[self.body].a,
  }
end

-- The motions that joints' rates `x` (by body) make, {w, v} by body of the path up to place `border` from the base, and
-- from the tool, which itself moves by `tool`, for those behind.
function Middle:added(x, border, tool)
  local added = {[0] = {w = spatial.zero, v = spatial.zero}}
  for at = 1, border do
    local i = self.path[at]
    local b = self.robot.bodies[i]
    ag.region("outward: acceleration, " .. b.link.joint.name .. " -> " .. b.link.name, b.link.id)
    added[i] = motion.add_joint(b, motion.carry(b, added[b.parent]), x[i])
    motion.hint_vector(added[i].w, "wd_added")
    motion.hint_vector(added[i].v, "a_added")
  end
  local m = tool
  for at = #self.path, border + 1, -1 do
    local i = self.path[at]
    local b = self.robot.bodies[i]
    ag.region("inward: acceleration, " .. b.link.name .. " -> " .. b.link.joint.name, b.link.id)
    added[i] = m
    m = motion.carry_inward(b, motion.add_joint(b, m, -x[i]))
    motion.hint_vector(m.w, "wd_added")
    motion.hint_vector(m.v, "a_added")
  end
  return added
end

-- A motion {w, v} of the tool's body at its origin, in its axes, as the middle body's: the six that stand in a column
-- of J; and one of the middle body as the tool's.
function Middle:inward_from_tool(m)
  for at = #self.path, self.place + 1, -1 do m = motion.carry_inward(self.robot.bodies[self.path[at]], m) end
  return six(m)
end
function Middle:outward_to_tool(m)
  for at = self.place + 1, #self.path do m = motion.carry(self.robot.bodies[self.path[at]], m) end
  return m
end

-- The point p of the tool's body, from the middle body's origin in its axes.
function Middle:point(p)
  for at = #self.path, self.place + 1, -1 do
    local b = self.robot.bodies[self.path[at]]
    p = motion.twist(b, motion.spin(b, p) + motion.arm(b))
  end
  return p
end

-- A wrench {f, n} at the middle body's origin in its axes, as force and moment about the point p of the tool's body,
-- there and in its axes still: {f, n}.
function Middle:about(p, wrench)
  return {f = wrench.f, n = wrench.n - spatial.cross(self:point(p), wrench.f)}
end

-- A vector from the middle body's axes to the tool's body's.
function Middle:to_tool(v)
  for at = self.place + 1, #self.path do v = motion.to_body(self.robot.bodies[self.path[at]], v) end
  return v
end

return Middle
