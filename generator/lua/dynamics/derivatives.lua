-- SPDX-License-Identifier: MIT
-- derivatives.lua: how the forces of inverse dynamics change with position and velocity, by composite bodies.
--
-- tau_i = S_i^T f_i, f_i the wrench that everything from joint i outward needs, and S_j the unit motion of joint j.
-- Moving the bodies outward of j, with the twist v and the acceleration a of the body that carries j:
--     P_j = v x S_j,   Q_j = a x S_j + v x P_j
-- Then with the composite inertia I and the composite B, both of everything from the outer joint outward, j inward of
-- i:
--     dtau_i/dq_j  = S_i^T (2B P_j + I Q_j)          dtau_j/dq_i  = S_j^T (2B P_i + I Q_i + S_i x* f_i)
--     dtau_i/dqd_j = S_i^T (2B S_j + 2I P_j)         dtau_j/dqd_i = S_j^T (2B S_i + 2I P_i)
--     2B = v x* I - I v x + (I v) xbar*
-- By q of a ball joint the child is turned by exp(dq) along its own axes, and its velocities stay what they are along
-- these. Its three axes turn together: P and Q of each are those by the motion of what carries the ball, S_i x* f_i is
-- felt by joints inward of the ball only, and of dqd 2 P is P_j + S'_j, S'_j by the motion of the child.
-- Source: Singh, Russell, Wensing 2022, Efficient analytical derivatives of rigid-body dynamics using spatial vector
-- algebra.
--
-- 2B takes turning only: 2B {w, v} = {n = (tr T - T) w - n x w, f = -2 f x w}, so 12 numbers carry it: the momentum
-- f, the angular momentum n, and T, the rate of the second moments Sigma. They shift to another origin like an
-- inertia without mass. In the formulas a is made of the classical acceleration of the origin (motion.lua), and
-- all linear velocities may be relative to the base: no torque depends on its own.

local spatial = require "spatial"
local motion = require "motion"
local Joint = require "joint"

local composite, cross_z = Joint.composite, spatial.cross_z

local Derivatives = {}

-- The 12 numbers of a composite (joint.lua) that moves with a twist.
local function bias_of(c, t)
  local Sigma, w, v, h = c.Sigma, t.w, t.v, c.h
  local xx, xy, xz, yy, yz, zz = Sigma[1], Sigma[2], Sigma[3], Sigma[4], Sigma[5], Sigma[6]
  local trace = xx + yy + zz
  local S = {{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}
  local columns = {spatial.cross(w, S[1]), spatial.cross(w, S[2]), spatial.cross(w, S[3])} -- of [w]x Sigma
  local function T(i, j) return columns[j][i] + columns[i][j] + (h[i] * v[j] + h[j] * v[i]) end
  return {
    n = trace * w - spatial.symmetric_mul(Sigma, w) + spatial.cross(h, v),
    f = c.m * v + spatial.cross(w, h),
    T = {T(1, 1), T(1, 2), T(1, 3), T(2, 2), T(2, 3), T(3, 3)},
  }
end

-- What a wrench on a body adds where its force f and its moment n keep their directions in the world while its
-- point r, from the body's origin, moves with the body: the change {r x (w x f) + w x n, w x f} by a turn w has the
-- form of 2B. N is the whole moment about the body's origin, n + r x f.
function Derivatives.held(f, N, r)
  local function T(i, j) return 0.5 * (f[i] * r[j] + f[j] * r[i]) end
  return {
    n = N - 0.5 * spatial.cross(r, f),
    f = 0.5 * f,
    T = {T(1, 1), T(1, 2), T(1, 3), T(2, 2), T(2, 3), T(3, 3)},
  }
end

local function add_bias(a, b)
  if not a or not b then return a or b end
  local T = {}
  for k = 1, 6 do T[k] = a.T[k] + b.T[k] end
  return {n = a.n + b.n, f = a.f + b.f, T = T}
end
Derivatives.add_held = add_bias

local function bias_to_parent(b, B)
  local f, n, arm = motion.spin(b, B.f), motion.spin(b, B.n), motion.arm(b)
  local T = spatial.shift_second_moments(0, f, spatial.rz_symmetric(b.c, b.s, B.T), arm)
  return {
    f = motion.twist(b, f), n = motion.twist(b, n + spatial.cross(arm, f)),
    T = motion.twist_symmetric(b, T),
  }
end

-- 2B {w, .} as a wrench, and the moment that 2B^T {S} has for a joint: turning only feels it.
local function bias_times(B, w)
  local trace = B.T[1] + B.T[4] + B.T[6]
  local n = trace * w - spatial.symmetric_mul(B.T, w)
  return {n = n - spatial.cross(B.n, w), f = -2 * spatial.cross(B.f, w)}
end
-- The same, for christoffel.lua.
Derivatives.bias = {of = bias_of, add = add_bias, to_parent = bias_to_parent, times = bias_times}

local function bias_times_axis(b, B)
  if b.prismatic then return motion.no_wrench end
  local z = spatial.vector {-B.T[3] - B.n[2], -B.T[5] + B.n[1], B.T[1] + B.T[4]}
  return {n = z, f = -2 * cross_z(B.f)}
end
local function bias_along(b, B)
  if b.prismatic then return 2 * cross_z(B.f) end
  return spatial.vector {-B.T[3] + B.n[2], -B.T[5] - B.n[1], B.T[1] + B.T[4]}
end

-- The inertia times a motion {w, v}.
local function inertia_times(C, m)
  local trace = C.Sigma[1] + C.Sigma[4] + C.Sigma[6]
  return {
    n = trace * m.w - spatial.symmetric_mul(C.Sigma, m.w) + spatial.cross(C.h, m.v),
    f = C.m * m.v - spatial.cross(C.h, m.w),
  }
end

Derivatives.inertia_times = inertia_times

-- P, Q and 2 P of a joint, in its body's axes at its origin. from: how its parent moves; nil: without Q. turning: of a
-- ball the angular velocity of its child.
local function axes_of(b, from, twist, turning)
  local w, wd, Q = motion.to_body(b, twist.w), from and motion.to_body(b, from.wd), nil
  if b.prismatic then
    local p = cross_z(w)
    if from then Q = {w = spatial.zero, v = cross_z(wd) + spatial.cross(w, p)} end
    return {w = spatial.zero, v = p}, Q, {w = spatial.zero, v = 2 * p}
  end
  local v, p = motion.carry(b, twist).v, cross_z(w)
  local twice = 2 * p
  if from then
    local a = motion.to_body(b, from.a + from.U * b.p)
    Q = {w = cross_z(wd) + spatial.cross(w, p), v = cross_z(a) + spatial.cross(v, twice)}
  end
  return {w = p, v = cross_z(v)}, Q, {w = turning and p + cross_z(turning) or twice, v = 2 * cross_z(v)}
end

-- S x* f
local function axis_cross(b, f)
  local function z_cross(v) return spatial.vector {-v[2], v[1], 0} end
  if b.prismatic then return {f = spatial.zero, n = z_cross(f.f)} end
  return {f = z_cross(f.f), n = z_cross(f.n)}
end

local function empty(n)
  local rows = {}
  for i = 1, n do
    rows[i] = {}
    for j = 1, n do rows[i][j] = 0 end
  end
  return rows
end

-- The linear velocities of the derivatives: relative to the base's own.
function Derivatives.twists(robot)
  local base = robot.base
  local still = setmetatable({base = base and {R = base.R, w = base.w, v = spatial.zero}}, {__index = robot})
  return motion.twists(still)
end

-- The pass inward. By body, of everything from it outward: C, its composite inertia; B, its composite 2B; E, what
-- given wrenches add; total, the wrenches carried. q, qd: the matrices.
local Inward = {}
Inward.__index = Inward

function Inward.new(robot, by_body, only)
  local n = robot.nb + robot.chain.nj
  local self = setmetatable({
    robot = robot, chain = robot.chain, nb = robot.nb, motions = by_body.motions, twists = by_body.twists,
    by_qd = only ~= "joints", base_by_q = not only, q = empty(n), qd = empty(n), C = {}, B = {}, E = {}, total = {},
    carriers = {},
  }, Inward)
  local inertias = by_body.inertias
  for i = robot.base and 0 or 1, robot.n do
    self.C[i] = inertias and composite.of(inertias[i])
    self.B[i] = inertias and bias_of(self.C[i], by_body.twists[i])
    self.E[i], self.total[i] = by_body.held[i], by_body.wrenches[i]
  end
  return self
end

-- Adds to M what x is worth between bodies i and j.
function Inward:put(M, i, j, x)
  local chain, nb = self.chain, self.nb
  local a, b = nb + chain.joint_of[i], nb + chain.joint_of[j]
  M[a][b] = M[a][b] + chain.ratio[i] * chain.ratio[j] * x
end

-- How body k moves that carries a joint: its motion and its twist; within a ball those of what carries the ball, at k.
function Inward:carrier(k)
  local b = self.robot.bodies[k]
  if k == 0 or not b.ball or b.ball == 3 then return self.motions and self.motions[k], self.twists[k] end
  if not self.carriers[k] then
    local from, twist = self:carrier(b.parent)
    local locked = setmetatable({qd = 0}, {__index = b})
    self.carriers[k] = {from and motion.outward_step(locked, from), motion.carry(b, twist)}
  end
  return self.carriers[k][1], self.carriers[k][2]
end

-- P, Q and 2 P of the joint of body i.
function Inward:axes_of(i)
  local b = self.robot.bodies[i]
  local from, twist = self:carrier(b.parent)
  return axes_of(b, from, twist, b.ball and self.twists[i].w + motion.ball_rest(self.robot, i))
end

-- Joint i's own element, and what it sends inward: wrenches F = I S, D of dqd, H of dq, which is to have `moved`, too,
-- where what the joint moves is left; g, e: couples that the joints
-- inward feel by P and by S.
function Inward:of_joint(i)
  local b, q, qd = self.robot.bodies[i], self.q, self.qd
  local C, B, E, total = self.C[i], self.B[i], self.E[i], self.total[i]
  local s = {H = motion.no_wrench}
  if C then
    local P, Q, twice = self:axes_of(i)
    s.F = composite.momentum(b, C)
    s.D = self.by_qd and motion.add_wrench(bias_times_axis(b, B), inertia_times(C, twice))
    if Q then s.H = motion.add_wrench(bias_times(B, P.w), inertia_times(C, Q)) end
    s.g = bias_along(b, B)
    if s.D then self:put(qd, i, i, motion.along_joint(b, s.D)) end
  end
  if E then
    s.H = motion.add_wrench(s.H, bias_times_axis(b, E))
    s.e = bias_along(b, E)
  end
  self:put(q, i, i, motion.along_joint(b, s.H))
  if total then s.moved = axis_cross(b, total) end
  return s
end

-- The elements of joint i with joint j, inward of it.
function Inward:of_pair(i, j, s)
  local at, q, qd, F, D, g, e = self.robot.bodies[j], self.q, self.qd, s.F, s.D, s.g, s.e
  self:put(q, j, i, motion.along_joint(at, s.H))
  if e and not at.prismatic then self:put(q, i, j, e[3]) end
  if not F then return end
  local P, Q, twice = self:axes_of(j)
  if D then
    self:put(qd, j, i, motion.along_joint(at, D))
    self:put(qd, i, j, spatial.dot(F.n, twice.w) + spatial.dot(F.f, twice.v) + (at.prismatic and 0 or g[3]))
  end
  if Q then self:put(q, i, j, spatial.dot(g, P.w) + (spatial.dot(F.n, Q.w) + spatial.dot(F.f, Q.v))) end
end

-- What joint i sends inward, carried through all joints inward of it, to the base where that moves.
function Inward:carry(i, s)
  local at = self.robot.bodies[i]
  local j, within = at.parent, at.ball
  while j > 0 or (j == 0 and self.robot.base) do
    within = within and within > 1 and within - 1
    if s.moved and not within then s.H, s.moved = motion.add_wrench(s.H, s.moved), nil end
    s.H = motion.wrench_to_parent(at, s.H)
    if s.moved then s.moved = motion.wrench_to_parent(at, s.moved) end
    if s.e then s.e = motion.to_parent(at, s.e) end
    if s.F then
      s.F, s.D = motion.wrench_to_parent(at, s.F), s.D and motion.wrench_to_parent(at, s.D)
      s.g = motion.to_parent(at, s.g)
    end
    if j == 0 then break end
    self:of_pair(i, j, s)
    at = self.robot.bodies[j]
    j = at.parent
  end
end

-- The elements of joint i with a moving base, on which s has arrived.
function Inward:of_joint_and_base(i, s)
  local nb, q, qd = self.nb, self.q, self.qd
  local F, D, g = s.F, s.D, s.g
  local c, ratio = nb + self.chain.joint_of[i], self.chain.ratio[i]
  for k, x in ipairs(motion.along_base(nb, s.H)) do q[k][c] = q[k][c] + ratio * x end
  local turn, spin = s.e or spatial.zero, nil -- by the base's q and qd
  if D then
    for k, x in ipairs(motion.along_base(nb, D)) do qd[k][c] = qd[k][c] + ratio * x end
    spin = g + spatial.cross(F.n, self.twists[0].w)
  end
  if F and self.base_by_q then
    local m = self.motions[0]
    turn = turn - (spatial.cross(m.a, F.f) + (spatial.cross(m.wd, F.n) + spatial.cross(m.w, spin)))
  end
  for k, t in ipairs(motion.base_freedoms(nb)) do
    if self.base_by_q then q[c][k] = q[c][k] + ratio * spatial.dot(turn, t.w) end
    if spin then qd[c][k] = qd[c][k] + ratio * spatial.dot(spin, t.w) end
  end
end

-- What is gathered of body i and everything outward of it joins that of its parent.
function Inward:join_parent(i)
  local b, C, B, E, total = self.robot.bodies[i], self.C, self.B, self.E, self.total
  if C[i] then
    local moved = composite.to_parent(b, C[i])
    C[b.parent] = C[b.parent] and composite.add(C[b.parent], moved) or moved
    B[b.parent] = add_bias(B[b.parent], bias_to_parent(b, B[i]))
  end
  if E[i] then E[b.parent] = add_bias(E[b.parent], bias_to_parent(b, E[i])) end
  if total[i] then motion.put_wrench(total, b.parent, motion.wrench_to_parent(b, total[i])) end
end

-- The base: what turning everything by w does to its wrench, less the shares of what does not turn with it.
function Inward:of_base()
  local nb, C, B, E = self.nb, self.C[0], self.B[0], self.E[0]
  local function spun(x)
    local turning = {w = spatial.cross(self.twists[0].w, x), v = spatial.zero}
    return motion.add_wrench(bias_times(B, x), inertia_times(C, turning))
  end
  ag.region("derivatives: the base", "base")
  for c, s in ipairs(motion.base_freedoms(nb)) do
    local w = s.w
    if self.by_qd and C and not spatial.is_zero(w) then
      for k, x in ipairs(motion.along_base(nb, spun(w))) do self.qd[k][c] = x end
    end
    if self.base_by_q and not spatial.is_zero(w) then
      local f = self.total[0] or motion.no_wrench
      local H = {f = spatial.cross(w, f.f), n = spatial.cross(w, f.n)}
      if C then
        local m = self.motions[0]
        H = motion.sub_wrench(H, spun(spatial.cross(w, m.w)))
        H = motion.sub_wrench(H, inertia_times(C, {w = spatial.cross(w, m.wd), v = spatial.cross(w, m.a)}))
      end
      if E then H = motion.add_wrench(H, bias_times(E, w)) end
      for k, x in ipairs(motion.along_base(nb, H)) do self.q[k][c] = x end
    end
  end
end

-- Derivatives of the forces by coordinate, as matrices [of][by] over the coordinates: {q, qd}. by_body:
--   wrenches   that the forces carry: what a body's motion needs less what is given
--   inertias   nil: the forces of given wrenches alone, turned around
--   motions    how the bodies accelerate
--   twists     of Derivatives.twists
--   held       what Derivatives.held tells of given wrenches
-- only: "qd" leaves out q, and takes no motions; "joints" leaves out qd, and by q the columns of a moving base.
--
-- Of a moving base the rows are along its own axes; its columns are those of a turn of the whole robot about each of
-- its axes, by which nothing else changes that is given along axes of the world (q), and of its angular velocity (qd).
-- Where it stands, and how fast it moves along, makes no difference.
function Derivatives.of_forces(robot, by_body, only)
  local inward = Inward.new(robot, by_body, only)
  for i = robot.n, 1, -1 do
    local b = robot.bodies[i]
    if inward.C[i] or inward.total[i] then
      ag.region("derivatives: " .. b.link.name .. " -> " .. b.link.joint.name, b.link.id)
      local sent = inward:of_joint(i)
      inward:carry(i, sent)
      if robot.base then inward:of_joint_and_base(i, sent) end
      if b.parent > 0 or robot.base then inward:join_parent(i) end
    end
  end
  if robot.base then inward:of_base() end
  return {q = inward.q, qd = inward.qd}
end

return Derivatives
