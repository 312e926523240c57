-- SPDX-License-Identifier: MIT
-- recursion.lua: forward dynamics by articulated bodies, the inward sweep of Popov and Vereshchagin.
--
-- In deviations from the motion at qdd = 0 (motion.lua): a_i = a_i^0 + da_i with da_i = X da_p + S qdd,
-- so the velocity terms c of the textbook recursion are gone from the bias, and
--     IA = I + sum X^T Ia X            U = IA S,  D = S^T U + d      Ia = IA - U U^T / D
--     p  = wrench at qdd = 0 + sum X^T pa                            pa = p + U u / D,  u = tau - S^T p
--     A' = X^T (A - U K / D),  K = S^T A                              (constraint wrenches)
--     qdd = (u + K nu - U^T X da_p) / D
-- Source: Featherstone, Rigid Body Dynamics Algorithms, 7.3; Vereshchagin 1989; Vukcevic 2020, alg. 2.

local scalar = require "scalar"
local spatial = require "spatial"
local motion = require "motion"
local row_steps = require "row_steps"
local Factor = require "factor"
local Embedded = require "embedded"

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

local function hint(A)
  ag.hint(A.J, {"J_xx", "J_xy", "J_xz", "J_yy", "J_yz", "J_zz"})
  ag.hint(A.W, {"W_xx", "W_xy", "W_xz", "W_yy", "W_yz", "W_zz"})
  motion.hint_matrix(A.H, "H")
end

local index = {{1, 2, 3}, {2, 4, 5}, {3, 5, 6}} -- of a symmetric tensor's element

-- A - U g^T of wrenches U and g along each other.
local function less_product(A, U, g)
  local r = {J = {}, H = {{}, {}, {}}, W = {}}
  for i = 1, 3 do
    for j = i, 3 do
      local k = index[i][j]
      r.J[k], r.W[k] = A.J[k] - U.n[i] * g.n[j], A.W[k] - U.f[i] * g.f[j]
    end
    for j = 1, 3 do r.H[i][j] = A.H[i][j] - U.n[i] * g.f[j] end
  end
  return r
end

-- IA - U U^T / D, with U = {n, f} = IA S. Without armature the joint's own row and column vanish; with
-- it they shrink by d / D.
local function project(A, b, U, inv, armature)
  local r = less_product(A, U, {n = inv * U.n, f = inv * U.f})
  local rest = scalar.is_zero(armature) and 0 or armature * inv
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

-- U = IA S of a body's joint, {n, f}.
local function force_of(b, A)
  if b.prismatic then return {n = spatial.column(A.H, 3), f = spatial.vector {A.W[3], A.W[5], A.W[6]}} end
  return {n = spatial.vector {A.J[3], A.J[5], A.J[6]}, f = spatial.vector(A.H[3])}
end

-- X^T Ia X: spin, shift by the arm p, twist. With [p] the matrix of p x:
--   W' = W,  H' = H + [p] W,  J' = J - H' [p] - (H [p])^T
local function to_parent(b, A)
  local J = spatial.rz_symmetric(b.c, b.s, A.J)
  local W = spatial.rz_symmetric(b.c, b.s, A.W)
  local H = spatial.rz_general(b.c, b.s, A.H)
  local p = motion.arm(b)
  local P = spatial.matrix {{0, -p[3], p[2]}, {p[3], 0, -p[1]}, {-p[2], p[1], 0}}
  local Wf = spatial.matrix {{W[1], W[2], W[3]}, {W[2], W[4], W[5]}, {W[3], W[5], W[6]}}
  local PW, HP = P * Wf, H * P
  local Hn = {}
  for i = 1, 3 do Hn[i] = H[i] + PW[i] end
  local HnP = Hn * P
  local Jn = {}
  for i = 1, 3 do
    for j = i, 3 do Jn[index[i][j]] = J[index[i][j]] - (HnP[i][j] + HP[j][i]) end
  end
  return {
    J = motion.twist_symmetric(b, Jn), W = motion.twist_symmetric(b, W), H = motion.twist_general(b, Hn),
  }
end

-- A - sum U U^T / D of the joints of a linkage.
local function project_group(A, group)
  for a, U in ipairs(group.U) do A = less_product(A, U, motion.scale_wrench(group.factor.inv[a], U)) end
  return A
end

-- What the freedoms of a moving base feel of its articulated inertia: linear, then angular; lower triangle.
local function base_block(nb, A)
  local J, H, W = A.J, A.H, A.W
  if nb == 3 then return {{W[1]}, {W[2], W[4]}, {H[3][1], H[3][2], J[6]}} end
  local block = {{W[1]}, {W[2], W[4]}, {W[3], W[5], W[6]}}
  for i = 1, 3 do
    block[3 + i] = {H[i][1], H[i][2], H[i][3]}
    for j = 1, i do block[3 + i][3 + j] = J[index[j][i]] end
  end
  return block
end

-- inertias: {m, h, I} per body (0: a moving base); armature: per joint. Sweeps inward once. U by body, D and inv
-- = 1 / D by coordinate: those of a moving base are what `factor` makes of its articulated inertia, by default L^T D L.
function Recursion.new(robot, inertias, armature, factor)
  local nb = robot.nb
  local self = setmetatable({robot = robot, armature = armature, U = {}, D = {}, inv = {}}, Recursion)
  local _, group_of = Embedded.groups(robot)
  self.group_of = group_of
  local joint_of, IA = robot.chain.joint_of, {}
  for i = robot.base and 0 or 1, robot.n do IA[i] = rigid(inertias[i]) end
  for i = robot.n, 1, -1 do
    local b, A = robot.bodies[i], IA[i]
    ag.region("inward: articulated inertia, " .. b.link.name .. " -> " .. b.link.joint.name, b.link.id)
    hint(A)
    local U = force_of(b, A)
    local group, j = group_of[i], joint_of[i]
    if group then
      group:carry(i, U)
      if IA[b.parent] then IA[b.parent] = add(IA[b.parent], to_parent(b, A)) end
      if i == group.first then
        group:close(armature, self.D, self.inv)
        if IA[group.stop] then IA[group.stop] = project_group(IA[group.stop], group) end
      end
      goto continue
    end
    local D = motion.along_joint(b, U) + armature[j]
    self.U[i], self.D[nb + j] = U, ag.label(D, "D" .. j)
    local inv = ag.label(scalar.divide(1, D), "iD" .. j)
    self.inv[nb + j] = inv
    if IA[b.parent] then
      IA[b.parent] = add(IA[b.parent], to_parent(b, project(A, b, U, inv, armature[j])))
    end
    ::continue::
  end
  if robot.base then
    self.base = (factor or Factor).new(base_block(nb, IA[0]), robot.chain.coordinates)
    for c = 1, nb do self.D[c], self.inv[c] = self.base.D[c], self.base.inv[c] end
  end
  return self
end

-- The forces on the freedoms of a moving base, as the system of its factors takes them: L^-T x. row: of many, or nil.
function Recursion:base_part(x, row)
  if not self.base then return {} end
  if row then row_steps.begin("inward: the base", row) else ag.region("inward: the base", "base") end
  return self.base:back(x)
end

-- u by coordinate, for the forces tau by coordinate and the wrenches that the bodies need at vdot = 0.
function Recursion:free(tau, wrenches)
  local robot, p, u = self.robot, {}, {}
  local nb, felt = robot.nb, {}
  for i = 0, robot.n do p[i] = wrenches[i] end
  for i = robot.n, 1, -1 do
    local b, U, j = robot.bodies[i], self.U[i], robot.chain.joint_of[i]
    ag.region("inward: bias, " .. b.link.name .. " -> " .. b.link.joint.name, b.link.id)
    if p[i] then motion.hint_wrench(p[i], "p_f", "p_n") end
    local mine = p[i] or motion.no_wrench
    if self.group_of[i] then
      felt[i] = motion.along_joint(b, mine) + (wrenches.along and wrenches.along[i] or 0)
      self:free_group(i, tau, mine, felt, p, u)
      goto continue
    end
    u[nb + j] = ag.label(tau[nb + j] - motion.along_joint(b, mine), "u" .. j)
    if b.parent > 0 or robot.base then
      local k = u[nb + j] * self.inv[nb + j]
      local pa = {f = mine.f + k * U.f, n = mine.n + k * U.n}
      -- along the joint p + U u / D is tau - (d / D) u
      local along = tau[nb + j]
      if not scalar.is_zero(self.armature[j]) then along = along - self.armature[j] * k end
      if b.prismatic then pa.f[3] = along else pa.n[3] = along end
      motion.put_wrench(p, b.parent, motion.wrench_to_parent(b, pa))
    end
    ::continue::
  end
  local rest = motion.along_base(nb, p[0] or motion.no_wrench)
  for c = 1, nb do rest[c] = tau[c] - rest[c] end
  for c, x in ipairs(self:base_part(rest)) do u[c] = ag.label(x, "u" .. robot.chain.coordinates[c].label) end
  return u
end

-- The same of body i of a linkage: its wrench goes inward as it is; with the last one the joints' u, and what they
-- leave on the carrier. felt: by body what its joint feels.
function Recursion:free_group(i, tau, mine, felt, p, u)
  local robot, group, nb = self.robot, self.group_of[i], self.robot.nb
  local b, moves = robot.bodies[i], robot.base ~= nil
  if b.parent > 0 or moves then motion.put_wrench(p, b.parent, motion.wrench_to_parent(b, mine)) end
  if i ~= group.first then return end
  local x, own = group:by_joint(group:of(felt)), {}
  for a, j in ipairs(group.joints) do own[a] = tau[nb + j] - x[a] end
  own = group.factor:back(own)
  for a, j in ipairs(group.joints) do u[nb + j] = ag.label(own[a], "u" .. j) end
  local back = group:reaction(own)
  if back and (group.stop > 0 or moves) then motion.put_wrench(p, group.stop, back) end
end

-- K of every row, by coordinate: {[j] = {[i] = S_i^T A_ij}}, A_ij projected through the joints beyond i.
-- wrenches_of(row): the wrenches of the row's unit force, {[body] = wrench}.
function Recursion:project_rows(rows, wrenches_of)
  local robot, result = self.robot, {}
  local nb, many, shared = robot.nb, row_steps.are_many(#rows), row_steps.shared_bodies(robot, rows)
  for j, row in ipairs(rows) do
    local k, A, felt, held = {}, wrenches_of(row), {}, false
    for i = robot.n, 1, -1 do
      local b, U, own, c = robot.bodies[i], self.U[i], A[i], robot.chain.joint_of[i]
      if self.group_of[i] then
        self:project_group_row(i, A, felt, k)
        goto continue
      end
      k[nb + c] = 0
      if own then
        local title = "inward: rows, " .. b.link.name .. " -> " .. b.link.joint.name
        if shared[i] and not held then own, held = row_steps.hold_wrench(own), true end
        if shared[i] then row_steps.begin(title, j) else ag.region(title, b.link.id) end
        k[nb + c] = motion.along_joint(b, own)
        if b.parent > 0 or robot.base then
          local g = k[nb + c] * self.inv[nb + c]
          local part = {f = own.f - g * U.f, n = own.n - g * U.n}
          if b.prismatic then part.f[3] = self:kept(c, k[nb + c]) else part.n[3] = self:kept(c, k[nb + c]) end
          motion.put_wrench(A, b.parent, motion.wrench_to_parent(b, part))
        end
      end
      ::continue::
    end
    local on_base = A[0] or motion.no_wrench
    if many and not held then on_base = row_steps.hold_wrench(on_base) end
    for c, x in ipairs(self:base_part(motion.along_base(nb, on_base), many and j or nil)) do k[c] = x end
    result[j] = k
  end
  return result
end

-- The same of body i of a linkage.
function Recursion:project_group_row(i, A, felt, k)
  local robot, group = self.robot, self.group_of[i]
  local b, own, moves = robot.bodies[i], A[i], robot.base ~= nil
  if own then
    ag.region("inward: rows, " .. b.link.name .. " -> " .. b.link.joint.name, b.link.id)
    felt[i] = motion.along_joint(b, own)
    if b.parent > 0 or moves then motion.put_wrench(A, b.parent, motion.wrench_to_parent(b, own)) end
  end
  if i ~= group.first then return end
  local own_k = group:felt(group:of(felt))
  for a, j in ipairs(group.joints) do k[robot.nb + j] = own_k[a] end
  local back = group:reaction(own_k)
  if back and (group.stop > 0 or moves) then
    motion.put_wrench(A, group.stop, motion.scale_wrench(-1, back))
  end
end

-- S^T (A - U K / D) of joint j: nothing without armature, K d / D with it.
function Recursion:kept(j, k)
  local d = self.armature[j]
  if scalar.is_zero(d) then return 0 end
  return k * (d * self.inv[self.robot.nb + j])
end

-- vdot of a moving base by coordinate; the joints' are to come.
function Recursion:accelerate_base(e)
  local vdot = {}
  if not self.base then return vdot end
  ag.region("outward: the base", "base")
  for c, x in ipairs(self.base:forward(e)) do vdot[c] = ag.label(x, "qdd" .. self.robot.chain.coordinates[c].label) end
  return vdot
end

-- vdot by coordinate from e = u + K nu: outward.
function Recursion:accelerate(e)
  local robot, nb = self.robot, self.robot.nb
  local vdot = self:accelerate_base(e)
  local added = {[0] = motion.base_motion(nb, vdot)}
  for i, b in ipairs(robot.bodies) do
    motion.outward_region(b, "acceleration")
    local U, carried, j = self.U[i], motion.carry(b, added[b.parent]), robot.chain.joint_of[i]
    local group = self.group_of[i]
    if group then
      if i == group.first then group:accelerate(e, added[group.stop], vdot) end
      added[i] = motion.add_joint(b, carried, group:rate(i, vdot))
    else
      local rest = e[nb + j] - (spatial.dot(U.n, carried.w) + spatial.dot(U.f, carried.v))
      vdot[nb + j] = ag.label(rest * self.inv[nb + j], "qdd" .. j)
      added[i] = motion.add_joint(b, carried, vdot[nb + j])
    end
  end
  return vdot
end

-- for early.lua
Recursion.articulated = {
  rigid = rigid, add = add, hint = hint, less_product = less_product, project = project, to_parent = to_parent,
  force_of = force_of, base_block = base_block,
}

return Recursion
