-- SPDX-License-Identifier: MIT
-- embedded.lua: the bodies of linkages in the recursion (recursion.lua): all bodies of one are a joint of several
-- freedoms between the body that carries them and those that they carry.
--
-- With the articulated inertias I_i of the bodies of a linkage, composite on the way inward, F_i = I_i S_i carried to
-- the body that carries all, H_ij = S_j^T F_i on the way, P the ratios of linkages.lua:
--   D = P^T H P,  U = F P,  IA of the carrier -= U D^-1 U^T
--   u = tau - P^T (S^T p),  p of the carrier += U D^-1 u,  qdd = D^-1 (u - U^T a)
-- D = L^T D' L: what is kept is U' = U L^-1 and u' = L^-T u, so that D' is by coordinate as everywhere.
-- Source: Jain, Robot and Multibody Dynamics, 2011 (constraint embedding).

local spatial = require "spatial"
local scalar = require "scalar"
local motion = require "motion"
local Factor = require "factor"

local Embedded = {}
Embedded.__index = Embedded

local function carrier_of(robot, bodies)
  local list = {}
  for i in pairs(bodies) do list[#list + 1] = i end
  table.sort(list)
  local stop
  for _, i in ipairs(list) do
    local parent = robot.bodies[i].parent
    stop = stop and motion.common(robot, stop, parent) or parent
  end
  for _, i in ipairs(list) do
    for _, j in ipairs(motion.way(robot, i, stop)) do bodies[j] = true end
  end
  return stop
end

-- The groups of a robot, each {bodies: a set; stop: the body that carries them; first: the least body; joints}; and by
-- body its group. Linkages that have bodies in common are one.
function Embedded.groups(robot)
  local list = {}
  for _, l in ipairs(robot.chain.linkages or {}) do
    local bodies = {}
    for _, part in ipairs {l.dependent, l.independent} do
      for _, i in ipairs(part) do bodies[i] = true end
    end
    local stop = carrier_of(robot, bodies)
    for k = #list, 1, -1 do
      local shared = false
      for i in pairs(list[k].bodies) do shared = shared or bodies[i] end
      if shared then
        for i in pairs(table.remove(list, k).bodies) do bodies[i] = true end
        stop = carrier_of(robot, bodies)
      end
    end
    list[#list + 1] = {bodies = bodies, stop = stop}
  end
  local of = {}
  for _, g in ipairs(list) do
    setmetatable(g, Embedded)
    g.robot, g.joints, g.first, g.index = robot, {}, math.huge, {}
    for i = 1, robot.n do
      if g.bodies[i] then
        of[i], g.first = g, math.min(g.first, i)
        if not robot.chain.dependent[i] then
          g.joints[#g.joints + 1] = robot.chain.joint_of[i]
          g.index[robot.chain.joint_of[i]] = #g.joints
        end
      end
    end
    g.H, g.F, g.way = {}, {}, {}
  end
  return list, of
end

local function dot(wrench, m) return spatial.dot(wrench.n, m.w) + spatial.dot(wrench.f, m.v) end

-- A body's F = I S, carried inward.
function Embedded:carry(i, F)
  local j, robot = i, self.robot
  self.H[i], self.way[i] = {}, motion.way(robot, i, self.stop)
  while j ~= self.stop do
    local b = robot.bodies[j]
    self.H[i][j] = motion.along_joint(b, F)
    F = motion.wrench_to_parent(b, F)
    j = b.parent
  end
  self.F[i] = F
end

-- P^T x for x by body, as a list by joint of the group.
function Embedded:by_joint(x)
  local r = scalar.zeros(#self.joints)
  for i = 1, self.robot.n do
    for _, m in ipairs(x[i] and motion.moves(self.robot.chain, i) or {}) do
      local a = self.index[m.joint]
      r[a] = r[a] + m.ratio * x[i]
    end
  end
  return r
end

-- Of a list by body, what is of the group.
function Embedded:of(x)
  local own = {}
  for i in pairs(self.bodies) do own[i] = x[i] end
  return own
end

-- With all bodies carried: D, U. armature: by joint. Fills D and inv by coordinate.
function Embedded:close(armature, D, inv)
  local robot, chain, n = self.robot, self.robot.chain, #self.joints
  local H, U, names = {}, {}, {}
  for a = 1, n do
    H[a], U[a] = scalar.zeros(n), motion.no_wrench
    names[a] = chain.coordinates[robot.nb + self.joints[a]]
  end
  for i in ipairs(robot.bodies) do
    local moves = self.H[i] and motion.moves(chain, i) or {}
    for _, m in ipairs(moves) do
      local a = self.index[m.joint]
      U[a] = motion.add_wrench(U[a], motion.scale_wrench(m.ratio, self.F[i]))
      for _, j in ipairs(self.way[i]) do
        local x = self.H[i][j]
        local rotor = i == j and robot.rotors and robot.rotors[i]
        for _, o in ipairs(motion.moves(chain, j)) do
          local b = self.index[o.joint]
          local part = m.ratio * o.ratio * (rotor and x + rotor or x)
          H[a][b] = H[a][b] + part
          if i ~= j then H[b][a] = H[b][a] + part end
        end
      end
    end
  end
  for a = 1, n do H[a][a] = H[a][a] + armature[self.joints[a]] end
  self.factor = Factor.new(H, names)
  self.U = {}
  for k = 1, 6 do
    local part, x = k <= 3 and "f" or "n", {}
    for a = 1, n do x[a] = U[a][part][(k - 1) % 3 + 1] end
    for a, y in ipairs(self.factor:back(x)) do
      self.U[a] = self.U[a] or {f = spatial.vector {0, 0, 0}, n = spatial.vector {0, 0, 0}}
      self.U[a][part][(k - 1) % 3 + 1] = y
    end
  end
  for a = 1, n do
    D[robot.nb + self.joints[a]], inv[robot.nb + self.joints[a]] = self.factor.D[a], self.factor.inv[a]
  end
end

-- The sum of U' x / D' over the joints: a wrench on the carrier; nil: all x are zero.
function Embedded:reaction(x)
  local sum
  for a, y in ipairs(x) do
    if not scalar.is_zero(y) then
      local part = motion.scale_wrench(y * self.factor.inv[a], self.U[a])
      sum = sum and motion.add_wrench(sum, part) or part
    end
  end
  return sum
end

-- L^-T P^T x for what joints feel, by body.
function Embedded:felt(x) return self.factor:back(self:by_joint(x)) end

-- Accelerations of the joints from e by coordinate and the carrier's acceleration {w, v}, into vdot.
function Embedded:accelerate(e, carried, vdot)
  local rest, nb = {}, self.robot.nb
  for a, j in ipairs(self.joints) do rest[a] = e[nb + j] - dot(self.U[a], carried) end
  for a, x in ipairs(self.factor:forward(rest)) do vdot[nb + self.joints[a]] = ag.label(x, "qdd" .. self.joints[a]) end
end

-- The acceleration of a body's joint.
function Embedded:rate(i, vdot)
  local sum = 0
  for k, m in ipairs(motion.moves(self.robot.chain, i)) do
    local x = m.ratio * vdot[self.robot.nb + m.joint]
    sum = k == 1 and x or sum + x
  end
  return sum
end

return Embedded
