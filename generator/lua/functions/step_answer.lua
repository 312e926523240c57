-- SPDX-License-Identifier: MIT
-- step_answer.lua: how the impulses that achd_contact_solve found change with the state, on their active set: of
-- contacts open, held or sliding, of limits and boxes away from their bounds.
--
-- With E the directions in which the impulses can change, dlambda = E x: of a contact that is held three, of one that
-- slides, lambda = s (1, mu u), |u| = 1, two: e = (1, mu u), and t = (0, u turned by a right angle); and with
-- w = J v+ + R lambda + gap what the solver drives to the dual cone, E^T w = 0 along all of them. By small changes,
-- where v* are velocities at constant impulses,
--     (E^T (A + R) E + C) x = -E^T (J dv* + d(J v+ + gap) at constant v+),   C = |w_t| / (mu s) along t
--     dv+ = dv* + (M + h D)^-1 J^T E x
-- That is the derivative where no contact, limit or box is about to change its state; there it is the one of a side.
-- Source: Castro, Permenter, Han, An unconstrained convex formulation of compliant contact, IEEE Transactions on
-- Robotics 39, 2023; the curvature of the cone as in runtime/contact.c.

local scalar = require "scalar"
local spatial = require "spatial"
local motion = require "motion"
local Factor = require "factor"
local Matrices = require "matrices"
local Contacts = require "step_contacts"

local Answer = {}
Answer.__index = Answer

-- Impulses this close to a bound are at it.
local function at_bound(single) return single and 1e-5 or 1e-9 end

-- What raises R: as in achd/contact.h.
local function least(single) return single and 1e-5 or 1e-9 end

-- Rows along joints, in order: number, {along, box}.
local function joint_rows(rows)
  local j = 0
  return function()
    repeat j = j + 1 until j > #rows.J or rows.joints[j]
    if j <= #rows.J then return j, rows.joints[j] end
  end
end

-- Derivatives by coordinate of {v, w}: the velocity of a point of a body and its angular velocity along the axes of the
-- world, by positions at constant velocities v. p: of the point, from the origin of the base.
local function velocity_slopes(state, poses, body, p, v)
  local robot, chain, columns, way = state.robot, state.chain, {}, motion.way(state.robot, body, 0)
  local base = motion.base_motion(chain.nb, v)
  local inner, V, W = {}, base.v + spatial.cross(base.w, p), base.w
  for k = #way, 1, -1 do
    local i = way[k]
    local b, axis = robot.bodies[i], spatial.column(poses[i].R, 3)
    local lin = b.prismatic and axis or spatial.cross(axis, p - poses[i].p)
    local outer = b.ball and b.ball > 1 and inner[way[k + 1]] or {V = V, W = W} -- the axes of a ball turn as one
    inner[i] = {V = outer.V, W = outer.W, axis = axis, lin = lin}
    local rate = chain.ratio[i] * v[chain.nb + chain.joint_of[i]]
    V = V + rate * lin
    if not b.prismatic then W = W + rate * axis end
  end
  for c = 1, chain.nb + chain.nj do columns[c] = {v = spatial.zero, w = spatial.zero} end
  for _, i in ipairs(way) do
    local own, turns, c = inner[i], not robot.bodies[i].prismatic, chain.nb + chain.joint_of[i]
    local lin = spatial.cross(own.W, own.lin)
    if turns then lin = lin + spatial.cross(own.axis, V - own.V) end
    columns[c].v = columns[c].v + chain.ratio[i] * lin
    if turns then columns[c].w = columns[c].w + chain.ratio[i] * spatial.cross(own.axis, W - own.W) end
  end
  for c, t in ipairs(motion.base_freedoms(chain.nb)) do
    local moved = V - base.v - spatial.cross(base.w, p)
    columns[c] = {v = spatial.cross(t.w, moved) + spatial.cross(base.w, spatial.cross(t.w, p)),
      w = spatial.cross(t.w, W - base.w)}
  end
  return columns
end

-- The contact forces, as wrenches on the centres of contacts that stay along the axes of the world.
local function wrench_of(c, axes, lambda, k, h)
  local f = spatial.zero
  for i = 1, 3 do f = f + scalar.divide(1, h) * lambda[3 * k - 3 + i] * axes[i] end
  local frame = {body = c.frame.body, p = c.frame.p + c.frame.R * spatial.vector(c.at), R = c.frame.R}
  return {name = c.name, kind = "physical", impulse = true, frame = frame, f = f,
    n = spatial.cross(-c.radius * axes[1], f)}
end

-- rows: of step_contacts.lua; lambda, R: what came in. Puts the forces of the impulses on the state.
function Answer.new(state, rows, lambda, R, h)
  local self = setmetatable({state = state, rows = rows, lambda = lambda, R = R, h = h}, Answer)
  self.contacts = state.layout.contacts
  for k, c in ipairs(self.contacts) do
    state.wrenches[#state.wrenches + 1] = wrench_of(c, rows.contact_axes[k], lambda, k, h)
  end
  self.forces, self.torques = {}, scalar.zeros(state.chain.nj)
  for k in ipairs(self.contacts) do self.forces[k] = state.wrenches[#state.wrenches - #self.contacts + k].f end
  local tau, rate = table.move(state.tau, 1, #state.tau, 1, {}), scalar.divide(1, h)
  for j, along in joint_rows(rows) do
    Contacts.add_torques(self.torques, along, rate * lambda[j])
  end
  for j = 1, #tau do tau[j] = tau[j] + self.torques[j] end
  state.tau = tau
  return self
end

-- What the rows see change by positions at constant velocities v: d(J v + gap), of gaps times the shares that came in.
function Answer:slopes(v)
  local state, rows, G = self.state, self.rows, {}
  local poses, rate = state:body_poses(), scalar.divide(1, self.h)
  ag.region("contacts: their velocities, by positions", "slopes")
  for k, c in ipairs(self.contacts) do
    local axes, body = rows.contact_axes[k], poses[c.frame.body]
    local centre = body.p + body.R * (c.frame.p + c.frame.R * spatial.vector(c.at))
    local columns = velocity_slopes(state, poses, c.frame.body, centre, v)
    for i = 1, 3 do
      local row = {}
      for j, x in ipairs(columns) do
        row[j] = spatial.dot(axes[i], x.v + spatial.cross(x.w, -c.radius * axes[1]))
        if i == 1 then row[j] = row[j] + rows.shares[3 * k - 2] * rate * rows.J[3 * k - 2][j] end
      end
      G[3 * k - 3 + i] = row
    end
  end
  for j, along in joint_rows(rows) do
    G[j] = Matrices.zero(1, #v)[1]
    for i, x in pairs(along.box and {} or along.along) do G[j][state.chain.nb + i] = rows.shares[j] * rate * x end
  end
  return G
end

-- R of the rows as the solver used it; A: its diagonal elements.
function Answer:regularised(A)
  local R, few = {}, least(self.state.single)
  for j = 1, #A do
    local own = A[j]
    if j <= 3 * #self.contacts then
      local first = j - (j - 1) % 3
      own = scalar.divide(1, 3) * (A[first] + A[first + 1] + A[first + 2])
    end
    R[j] = scalar.max(self.R[j], few * own)
  end
  return R
end

-- By contact what of it can change: {masks of its three directions; e: the first one; a, b: the second, (0, a, b);
-- curvature}; w: of its rows.
local function directions(state, lambda, mu, w)
  local touches, most = scalar.lt(0, lambda[1]), mu * lambda[1]
  local square, bound = lambda[2] * lambda[2] + lambda[3] * lambda[3], 1 - 2 * at_bound(state.single)
  local slides = scalar.land(touches, scalar.lnot(scalar.lt(square, bound * (most * most))))
  local rubs = scalar.land(slides, scalar.lt(0, most))
  local held = scalar.land(touches, scalar.lnot(slides))
  local inverse = 1 / scalar.select(rubs, most, 1)
  local u, v = inverse * lambda[2], inverse * lambda[3]
  local speed = scalar.max(0, -(u * w[2] + v * w[3]))
  local function chosen(x) return scalar.select(rubs, x, 0) end
  return {
    masks = {scalar.select(touches, 1, 0), scalar.select(scalar.lor(held, rubs), 1, 0), scalar.select(held, 1, 0)},
    e = {1, chosen(mu * u), chosen(mu * v)}, a = scalar.select(rubs, -v, 1), b = chosen(u),
    curvature = chosen(speed * inverse),
  }
end

-- E^T of lists by row, of a contact from row j on: X[j] .. X[j + 2] become those of its directions.
local function along_directions(X, j, d)
  local first, second, third = {}, {}, {}
  for c = 1, #X[j] do
    first[c] = d.masks[1] * (X[j][c] + d.e[2] * X[j + 1][c] + d.e[3] * X[j + 2][c])
    second[c] = d.masks[2] * (d.a * X[j + 1][c] + d.b * X[j + 2][c])
    third[c] = d.masks[3] * X[j + 2][c]
  end
  X[j], X[j + 1], X[j + 2] = first, second, third
end

-- Whether rows of joints are between their bounds, as 1 and 0.
local function free_joint(state, along, lambda)
  if not along.box then return scalar.select(scalar.lt(0, lambda), 1, 0) end
  return scalar.select(scalar.lt(scalar.abs(lambda), (1 - at_bound(state.single)) * along.box), 1, 0)
end

-- E^T (A + R) E + C as factors. K: L^-T J^T by row; A: diagonal of A; w: by row.
function Answer:system(K, inv, A, w)
  local state, lambda, m = self.state, self.lambda, #K
  ag.region("impulses: how they change, on the active set", "answer")
  local R, S, added, coupled = self:regularised(A), {}, {}, {}
  self.directions, self.free = {}, {}
  K = table.move(K, 1, m, 1, {})
  for k in ipairs(self.contacts) do
    local j = 3 * k - 2
    local d = directions(state, {lambda[j], lambda[j + 1], lambda[j + 2]}, self.rows.mu[k], {w[j], w[j + 1], w[j + 2]})
    self.directions[k] = d
    along_directions(K, j, d)
    local e, r = d.e, {R[j], R[j + 1], R[j + 2]}
    added[j] = r[1] + e[2] * e[2] * r[2] + e[3] * e[3] * r[3]
    added[j + 1] = d.a * d.a * r[2] + d.b * d.b * r[3] + d.curvature
    added[j + 2] = r[3]
    coupled[j + 1] = d.masks[2] * (d.a * e[2] * r[2] + d.b * e[3] * r[3])
    for i = 1, 3 do self.free[j + i - 1] = d.masks[i] end
  end
  for j, along in joint_rows(self.rows) do
    self.free[j], added[j] = free_joint(state, along, lambda[j]), R[j]
    K[j] = Matrices.scale(self.free[j], {K[j]})[1]
  end
  local names = {}
  for i = 1, m do
    names[i], S[i] = {name = "impulse " .. i, id = "answer", label = "_lambda" .. i}, {}
    for j = 1, i do
      local sum = 0
      for c = 1, #inv do sum = sum + K[i][c] * inv[c] * K[j][c] end
      if i == j then sum = sum + self.free[i] * added[i] + (1 - self.free[i]) end
      if j == i - 1 and coupled[i] then sum = sum + coupled[i] end
      S[i][j] = sum
    end
  end
  self.factor, self.K = Factor.new(S, names), K
  return self.factor.D
end

-- x for right sides y, by row and column of what they are by, which it overwrites.
function Answer:solve(y)
  for k in ipairs(self.contacts) do along_directions(y, 3 * k - 2, self.directions[k]) end
  for j in joint_rows(self.rows) do y[j] = Matrices.scale(self.free[j], {y[j]})[1] end
  local x = {}
  for j = 1, #y do x[j] = {} end
  for c = 1, #y[1] do
    local column = {}
    for j = 1, #y do column[j] = -y[j][c] end
    for j, value in ipairs(self.factor:forward(self.factor:back(column))) do x[j][c] = value end
  end
  return x
end

-- dlambda = E x by row.
function Answer:impulses(x)
  local changes = table.move(x, 1, #x, 1, {})
  for k, d in ipairs(self.directions) do
    local j = 3 * k - 2
    changes[j + 1], changes[j + 2] = {}, {}
    for c = 1, #x[j] do
      changes[j + 1][c] = d.e[2] * x[j][c] + d.a * x[j + 1][c]
      changes[j + 2][c] = d.e[3] * x[j][c] + d.b * x[j + 1][c] + x[j + 2][c]
    end
  end
  return changes
end

return Answer
