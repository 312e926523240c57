-- recursion.lua: forward dynamics by articulated bodies, the inward sweep of Popov and Vereshchagin.
--
-- In deviations from the motion at qdd = 0 (motion.lua): a_i = a_i^0 + da_i with da_i = X da_p + S qdd,
-- so the velocity terms c of the textbook recursion are gone from the bias, and
--     IA = I + sum X^T Ia X            U = IA S,  D = S^T U + d      Ia = IA - U U^T / D
--     p  = wrench at qdd = 0 + sum X^T pa                            pa = p + U u / D,  u = tau - S^T p
--     A' = X^T (A - U K / D),  K = S^T A                              (constraint wrenches)
--     qdd = (u + K nu - U^T X da_p) / D
-- Source: Featherstone, Rigid Body Dynamics Algorithms, 7.3; Vereshchagin 1989; Vukcevic 2020, alg. 2.

local S = require "scalar"
local M = require "spatial"
local K = require "motion"

local Recursion = {}
Recursion.__index = Recursion

-- Articulated inertia, blocks of [n; f] = [J H; H^T W] [w; v]: J, W symmetric, H general.
local function rigid(inertia)
  local m, h = inertia.m, inertia.h
  return {
    J = inertia.I,
    H = {{0, -h[3], h[2]}, {h[3], 0, -h[1]}, {-h[2], h[1], 0}}, -- [h]x
    W = {m, 0, 0, m, 0, m},
  }
end

local function add(a, b)
  local r = {J = {}, H = {{}, {}, {}}, W = {}}
  for k = 1, 6 do r.J[k], r.W[k] = a.J[k] + b.J[k], a.W[k] + b.W[k] end
  for i = 1, 3 do
    for j = 1, 3 do r.H[i][j] = a.H[i][j] + b.H[i][j] end
  end
  return r
end

local index = {{1, 2, 3}, {2, 4, 5}, {3, 5, 6}} -- of a symmetric tensor's element

-- IA - U U^T / D, with U = {n, f} = IA S. Without armature the joint's own row and column vanish; with
-- it they shrink by d / D.
local function project(A, b, U, inv, armature)
  local g = {n = M.scale(inv, U.n), f = M.scale(inv, U.f)}
  local r = {J = {}, H = {{}, {}, {}}, W = {}}
  for i = 1, 3 do
    for j = i, 3 do
      local k = index[i][j]
      r.J[k] = A.J[k] - U.n[i] * g.n[j]
      r.W[k] = A.W[k] - U.f[i] * g.f[j]
    end
    for j = 1, 3 do r.H[i][j] = A.H[i][j] - U.n[i] * g.f[j] end
  end
  local rest = armature == 0 and 0 or armature * inv
  for i = 1, 3 do
    local k = index[i][3]
    if b.prismatic then
      r.W[k], r.H[i][3] = rest * A.W[k], rest * A.H[i][3]
    else
      r.J[k], r.H[3][i] = rest * A.J[k], rest * A.H[3][i]
    end
  end
  return r
end

-- X^T Ia X: spin, shift by the arm p, twist. With [p] the matrix of p x:
--   W' = W,  H' = H + [p] W,  J' = J - H' [p] - (H [p])^T
local function to_parent(b, A)
  local J = M.rz_symmetric(b.c, b.s, A.J)
  local W = M.rz_symmetric(b.c, b.s, A.W)
  local H = M.rz_general(b.c, b.s, A.H)
  local p = K.arm(b)
  local P = {{0, -p[3], p[2]}, {p[3], 0, -p[1]}, {-p[2], p[1], 0}}
  local Wf = {{W[1], W[2], W[3]}, {W[2], W[4], W[5]}, {W[3], W[5], W[6]}}
  local PW, HP = M.matmul(P, Wf), M.matmul(H, P)
  local Hn = {}
  for i = 1, 3 do Hn[i] = M.add(H[i], PW[i]) end
  local HnP = M.matmul(Hn, P)
  local Jn = {}
  for i = 1, 3 do
    for j = i, 3 do Jn[index[i][j]] = J[index[i][j]] - (HnP[i][j] + HP[j][i]) end
  end
  return {
    J = M.rz_symmetric(b.cg, b.sg, M.rx_symmetric(b.ca, b.sa, Jn)),
    W = M.rz_symmetric(b.cg, b.sg, M.rx_symmetric(b.ca, b.sa, W)),
    H = M.rz_general(b.cg, b.sg, M.rx_general(b.ca, b.sa, Hn)),
  }
end

-- inertias: {m, h, I} per body; armature: per joint. Sweeps inward once.
function Recursion.new(robot, inertias, armature)
  local self = setmetatable({robot = robot, armature = armature, U = {}, D = {}, inv = {}}, Recursion)
  local IA = {}
  for i = 1, robot.n do IA[i] = rigid(inertias[i]) end
  for i = robot.n, 1, -1 do
    local b, A = robot.bodies[i], IA[i]
    ag.region("inward: articulated inertia, " .. b.link.name .. " -> " .. b.link.joint.name)
    local U
    if b.prismatic then
      U = {n = M.column(A.H, 3), f = {A.W[3], A.W[5], A.W[6]}}
    else
      U = {n = {A.J[3], A.J[5], A.J[6]}, f = A.H[3]}
    end
    local D = K.along_joint(b, U) + armature[i]
    self.U[i], self.D[i] = U, ag.label(D, "D" .. i)
    self.inv[i] = ag.label(1 / D, "iD" .. i)
    if b.parent > 0 then
      IA[b.parent] = add(IA[b.parent], to_parent(b, project(A, b, U, self.inv[i], armature[i])))
    end
  end
  return self
end

-- u of every joint for joint forces tau and the wrenches that the bodies need at qdd = 0.
function Recursion:free(tau, wrenches)
  local p, u = {}, {}
  for i = 1, self.robot.n do p[i] = wrenches[i] end
  for i = self.robot.n, 1, -1 do
    local b, U = self.robot.bodies[i], self.U[i]
    ag.region("inward: bias, " .. b.link.name .. " -> " .. b.link.joint.name)
    local mine = p[i] or K.no_wrench
    u[i] = ag.label(tau[i] - K.along_joint(b, mine), "u" .. i)
    if b.parent > 0 then
      local k = u[i] * self.inv[i]
      local pa = {f = M.add(mine.f, M.scale(k, U.f)), n = M.add(mine.n, M.scale(k, U.n))}
      -- along the joint p + U u / D is tau - (d / D) u
      local along = tau[i]
      if self.armature[i] ~= 0 then along = along - self.armature[i] * k end
      if b.prismatic then pa.f[3] = along else pa.n[3] = along end
      pa = K.wrench_to_parent(b, pa)
      p[b.parent] = p[b.parent] and K.add_wrench(p[b.parent], pa) or pa
    end
  end
  return u
end

-- K of every row: {[j] = {[i] = S_i^T A_ij}}, A_ij projected through the joints beyond i.
function Recursion:project_rows(rows, wrench_of)
  local result = {}
  for j, row in ipairs(rows) do
    local k = {}
    for i = 1, self.robot.n do k[i] = 0 end
    local i, A = row.group.frame.body, wrench_of(row)
    while i > 0 do
      local b, U = self.robot.bodies[i], self.U[i]
      ag.region("inward: rows, " .. b.link.name .. " -> " .. b.link.joint.name)
      k[i] = K.along_joint(b, A)
      if b.parent > 0 then
        local g = k[i] * self.inv[i]
        A = {f = M.sub(A.f, M.scale(g, U.f)), n = M.sub(A.n, M.scale(g, U.n))}
        if b.prismatic then A.f[3] = self:kept(i, k[i]) else A.n[3] = self:kept(i, k[i]) end
        A = K.wrench_to_parent(b, A)
      end
      i = b.parent
    end
    result[j] = k
  end
  return result
end

-- S^T (A - U K / D): nothing without armature, K d / D with it.
function Recursion:kept(i, k)
  local d = self.armature[i]
  if d == 0 then return 0 end
  return k * (d * self.inv[i])
end

-- qdd from e = u + K nu: outward.
function Recursion:accelerate(e)
  local robot, qdd = self.robot, {}
  local added = {[0] = {w = M.zero, v = M.zero}}
  for i, b in ipairs(robot.bodies) do
    K.outward_region(b, i)
    local U, carried = self.U[i], K.carry(b, added[b.parent])
    qdd[i] = ag.label((e[i] - (M.dot(U.n, carried.w) + M.dot(U.f, carried.v))) * self.inv[i], "qdd" .. i)
    added[i] = K.add_joint(b, carried, qdd[i])
  end
  return qdd
end

return Recursion
