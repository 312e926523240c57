-- SPDX-License-Identifier: MIT
-- joint.lua: forward dynamics in joint space: M by composite bodies, its L^T D L factors, bias by RNEA.
--
--     M qdd + h = tau + J^T A nu,   M = L^T D L  (without mimic L_ij only where j carries i)
--     u = L^-T (tau - h),  K = L^-T J^T A,  qdd = L^-1 D^-1 (u + K nu)
-- D, u and K are the articulated quantities of recursion.lua, number for number: the two differ in how
-- they get there. A moving base's accelerations are the first of qdd.
-- Source: Featherstone, Rigid Body Dynamics Algorithms, 6.2 (CRBA), 9.3 (floating bases).

local spatial = require "spatial"
local motion = require "motion"
local Factor = require "factor"
local Gears = require "gears"

local Joint = {}
Joint.__index = Joint

-- Composite bodies carry mass m, first moment h and second moments Sigma = int r r^T dm (spatial.lua): to
-- the parent's frame Sigma shifts with fewer sums than I.
local function composite_of(inertia)
  return {m = inertia.m, h = inertia.h, Sigma = spatial.second_moments(inertia.I)}
end

local function to_parent(b, c)
  local h, arm = motion.spin(b, c.h), motion.arm(b)
  local Sigma = spatial.shift_second_moments(c.m, h, spatial.rz_symmetric(b.c, b.s, c.Sigma), arm)
  return {
    m = c.m,
    h = motion.twist(b, h + c.m * arm),
    Sigma = motion.twist_symmetric(b, Sigma),
  }
end

local function add(a, b)
  local Sigma = {}
  for k = 1, 6 do Sigma[k] = a.Sigma[k] + b.Sigma[k] end
  return {m = a.m + b.m, h = a.h + b.h, Sigma = Sigma}
end

local function hint(c)
  ag.hint({c.m}, {"mass"})
  motion.hint_vector(c.h, "h")
  ag.hint(c.Sigma, {"S_xx", "S_xy", "S_xz", "S_yy", "S_yz", "S_zz"})
end

-- The composite inertia times S, {f, n}: for a revolute joint f = z x h, n = I z.
local function momentum(b, c)
  local m, h, Sigma = c.m, c.h, c.Sigma
  if b.prismatic then return {f = spatial.vector {0, 0, m}, n = spatial.vector {h[2], -h[1], 0}} end
  return {f = spatial.vector {-h[2], h[1], 0}, n = spatial.vector {-Sigma[3], -Sigma[5], Sigma[1] + Sigma[4]}}
end

-- The same, for derivatives.lua.
Joint.composite = {of = composite_of, to_parent = to_parent, add = add, momentum = momentum}

-- The lower triangle of the inertia that the freedoms of a moving base feel, the robot rigid:
--   [m 1  [h]x^T; [h]x  I], linear then angular; I = tr(Sigma) 1 - Sigma
function Joint.base_block(nb, c)
  local h, Sigma = c.h, c.Sigma
  local trace = Sigma[1] + Sigma[4] + Sigma[6]
  local whole = {
    {c.m},
    {0, c.m},
    {0, 0, c.m},
    {0, -h[3], h[2], trace - Sigma[1]},
    {h[3], 0, -h[1], -Sigma[2], trace - Sigma[4]},
    {-h[2], h[1], 0, -Sigma[3], -Sigma[5], trace - Sigma[6]},
  }
  local kept, block = nb == 3 and {1, 2, 6} or {1, 2, 3, 4, 5, 6}, {}
  for i = 1, nb do
    block[i] = {}
    for j = 1, i do block[i][j] = whole[kept[i]][kept[j]] end
  end
  return block
end

-- M by coordinate, lower triangle M[i][j], j <= i, without armature; and the composite of the whole robot, about
-- the origin of a moving base. CRBA per body; joints that mimic add to the joint that leads: M = G^T M_bodies G
-- with dq_bodies = G dq.
function Joint.mass_matrix(robot, inertias)
  local chain, nb, composite, mass = robot.chain, robot.nb, {}, {}
  for i = robot.base and 0 or 1, robot.n do composite[i] = composite_of(inertias[i]) end
  for i = 1, nb + chain.nj do
    mass[i] = {}
    for j = 1, i do mass[i][j] = 0 end
  end
  local function put(i, j, value) -- of bodies i and j
    local moves = motion.moves(chain, i)
    for k, m in ipairs(moves) do
      for n, o in ipairs(i == j and moves or motion.moves(chain, j)) do
        local a, b = nb + m.joint, nb + o.joint
        local v = m.ratio * o.ratio * value
        if i ~= j and a == b then v = 2 * v end
        if a < b then a, b = b, a end
        if i ~= j or n <= k then mass[a][b] = mass[a][b] + v end
      end
    end
  end
  for i = robot.n, 1, -1 do
    local b = robot.bodies[i]
    ag.region("inward: composite inertia, " .. b.link.name .. " -> " .. b.link.joint.name, b.link.id)
    hint(composite[i])
    local part = motion.carry_wrench(robot, i, momentum(b, composite[i]), function(j, wrench)
      local along = motion.along_joint(robot.bodies[j], wrench)
      local rotor = i == j and robot.rotors and robot.rotors[i]
      put(i, j, rotor and along + rotor or along)
    end)
    if robot.base then
      for _, m in ipairs(motion.moves(chain, i)) do
        local row = mass[nb + m.joint]
        for k, x in ipairs(motion.along_base(nb, part)) do row[k] = row[k] + m.ratio * x end
      end
    end
    if composite[b.parent] then composite[b.parent] = add(composite[b.parent], to_parent(b, composite[i])) end
  end
  for i, row in ipairs(robot.base and Joint.base_block(nb, composite[0]) or {}) do mass[i] = row end
  return mass, composite[0]
end

-- armature: of rotors, by joint, with what couples joints (gears.lua).
function Joint.new(robot, inertias, armature)
  local chain, nb = robot.chain, robot.nb
  local mass = Joint.mass_matrix(robot, inertias)
  Gears.onto(mass, nb, armature)
  local self = setmetatable({robot = robot, n = nb + chain.nj, factor = Factor.new(mass, chain.coordinates)}, Joint)
  self.D, self.inv = self.factor.D, self.factor.inv
  return self
end

-- u by coordinate, for the forces tau by coordinate and the wrenches that the bodies need at vdot = 0.
function Joint:free(tau, wrenches)
  local h = motion.joint_forces(self.robot, wrenches, "inward: forces, ")
  local x = {}
  ag.region("joint space: u = L^-T (tau - h)", "u")
  for i = 1, self.n do x[i] = tau[i] - h[i] end
  local u = self.factor:back(x)
  for i = 1, self.n do ag.label(u[i], "u" .. self.robot.chain.coordinates[i].label) end
  return u
end

-- K = L^-T J^T A per row; J: {[j] = {[coordinate] = ...}}.
function Joint:project_columns(J)
  ag.region("joint space: K = L^-T J^T A", "K")
  local result = {}
  for j = 1, #J do
    result[j] = self.factor:back(J[j])
    for i = 1, self.n do ag.hint({result[j][i]}, {"row" .. j .. "_" .. self.robot.chain.coordinates[i].id}) end
  end
  return result
end

-- vdot by coordinate from e = u + K nu.
function Joint:accelerate(e)
  ag.region("joint space: qdd = L^-1 D^-1 (u + K nu)", "qdd")
  local vdot = self.factor:forward(e)
  for i = 1, self.n do ag.label(vdot[i], "qdd" .. self.robot.chain.coordinates[i].label) end
  return vdot
end

-- Of factors of M that are known, for project_columns and accelerate.
function Joint.of_factor(robot, factor)
  return setmetatable({robot = robot, n = factor.n, factor = factor, inv = factor.inv}, Joint)
end

return Joint
