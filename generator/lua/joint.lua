-- joint.lua: forward dynamics in joint space: M by composite bodies, its L^T D L factors, bias by RNEA.
--
--     M qdd + h = tau + J^T A nu,   M = L^T D L  (L unit lower triangular; without mimic L_ij only where j carries i)
--     u = L^-T (tau - h),  K = L^-T J^T A,  qdd = L^-1 D^-1 (u + K nu)
-- D, u and K are the articulated quantities of recursion.lua, number for number: the two differ in how
-- they get there. Source: Featherstone, Rigid Body Dynamics Algorithms, 6.2 (CRBA), 6.5 (LTDL).

local S = require "scalar"
local M = require "spatial"
local K = require "motion"

local Joint = {}
Joint.__index = Joint

-- Composite bodies carry mass m, first moment h and second moments Sigma = int r r^T dm (spatial.lua): to
-- the parent's frame Sigma shifts with fewer sums than I.
local function composite_of(inertia)
  return {m = inertia.m, h = inertia.h, Sigma = M.second_moments(inertia.I)}
end

local function to_parent(b, c)
  local h, arm = K.spin(b, c.h), K.arm(b)
  local Sigma = M.shift_second_moments(c.m, h, M.rz_symmetric(b.c, b.s, c.Sigma), arm)
  return {
    m = c.m,
    h = K.twist(b, M.add(h, M.scale(c.m, arm))),
    Sigma = M.rz_symmetric(b.cg, b.sg, M.rx_symmetric(b.ca, b.sa, Sigma)),
  }
end

local function add(a, b)
  local Sigma = {}
  for k = 1, 6 do Sigma[k] = a.Sigma[k] + b.Sigma[k] end
  return {m = a.m + b.m, h = M.add(a.h, b.h), Sigma = Sigma}
end

-- The composite inertia times S, {f, n}: for a revolute joint f = z x h, n = I z.
local function momentum(b, c)
  local m, h, Sigma = c.m, c.h, c.Sigma
  if b.prismatic then return {f = {0, 0, m}, n = {h[2], -h[1], 0}} end
  return {f = {-h[2], h[1], 0}, n = {-Sigma[3], -Sigma[5], Sigma[1] + Sigma[4]}}
end

-- M, lower triangle M[i][j], j <= i, without armature. CRBA per body; joints that mimic add to the joint that
-- leads: M = G^T M_bodies G with dq_bodies = G dq.
function Joint.mass_matrix(robot, inertias)
  local chain, composite, mass = robot.chain, {}, {}
  for i = 1, robot.n do composite[i] = composite_of(inertias[i]) end
  for i = 1, chain.nj do
    mass[i] = {}
    for j = 1, i do mass[i][j] = 0 end
  end
  local function put(i, j, value) -- of bodies i and j
    local a, b = chain.joint_of[i], chain.joint_of[j]
    local v = chain.ratio[i] * chain.ratio[j] * value
    if i ~= j and a == b then v = 2 * v end
    if a < b then a, b = b, a end
    mass[a][b] = mass[a][b] + v
  end
  for i = robot.n, 1, -1 do
    local b = robot.bodies[i]
    ag.region("inward: composite inertia, " .. b.link.name .. " -> " .. b.link.joint.name)
    local part = momentum(b, composite[i])
    put(i, i, K.along_joint(b, part))
    local j, at = b.parent, b
    while j > 0 do
      part = K.wrench_to_parent(at, part)
      at = robot.bodies[j]
      put(i, j, K.along_joint(at, part))
      j = at.parent
    end
    if b.parent > 0 then composite[b.parent] = add(composite[b.parent], to_parent(b, composite[i])) end
  end
  return mass
end

-- M = L^T D L, from the leaves to the base. Elements between branches are zero from the start, and stay so.
function Joint.new(robot, inertias, armature)
  local chain = robot.chain
  local self = setmetatable({robot = robot, n = chain.nj, D = {}, inv = {}, L = {}}, Joint)
  local mass = Joint.mass_matrix(robot, inertias)
  for i = 1, self.n do mass[i][i] = mass[i][i] + armature[i] end
  for i = self.n, 1, -1 do
    ag.region("inward: L^T D L, " .. chain.joint_names[i])
    self.D[i] = ag.label(mass[i][i], "D" .. i)
    self.inv[i] = ag.label(1 / mass[i][i], "iD" .. i)
    self.L[i] = {}
    for j = i - 1, 1, -1 do
      local l = mass[i][j] * self.inv[i]
      self.L[i][j] = l
      for k = j, 1, -1 do mass[j][k] = mass[j][k] - l * mass[i][k] end
    end
  end
  return self
end

-- L^-T x
function Joint:back(x)
  local y = {}
  for i = 1, self.n do y[i] = x[i] end
  for i = self.n, 1, -1 do
    for j = i - 1, 1, -1 do y[j] = y[j] - self.L[i][j] * y[i] end
  end
  return y
end

function Joint:free(tau, wrenches)
  local h = K.joint_forces(self.robot, wrenches, "inward: forces, ")
  local x = {}
  ag.region("joint space: u = L^-T (tau - h)")
  for i = 1, self.n do x[i] = tau[i] - h[i] end
  local u = self:back(x)
  for i = 1, self.n do ag.label(u[i], "u" .. i) end
  return u
end

-- K = L^-T J^T A per row; J: {[j] = {[i] = ...}}.
function Joint:project_columns(J)
  ag.region("joint space: K = L^-T J^T A")
  local result = {}
  for j = 1, #J do result[j] = self:back(J[j]) end
  return result
end

function Joint:accelerate(e)
  ag.region("joint space: qdd = L^-1 D^-1 (u + K nu)")
  local qdd = {}
  for i = 1, self.n do
    local x = e[i] * self.inv[i]
    for j = i - 1, 1, -1 do x = x - self.L[i][j] * qdd[j] end
    qdd[i] = ag.label(x, "qdd" .. i)
  end
  return qdd
end

return Joint
