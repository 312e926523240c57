-- SPDX-License-Identifier: MIT
-- early.lua: forward dynamics whose constraint rows are eliminated early: on their way inward, at the first body with
-- enough joints behind it, in place of one system of all rows at the base.
--
-- The recursion (recursion.lua) carries the wrenches A of rows inward. In deviations from the motion at qdd = 0, the
-- limb behind body i leaves on it the wrench IA da + p - A nu, and the rows ask for A^T da + L nu = r, with
--     L = sum K K^T / D,   r = b - A^T a^0 - sum K u / D      over the joints that were passed.
-- Where L has an inverse, nu = L^-1 (r - A^T da) leaves
--     IA' = IA + A L^-1 A^T,   p' = p - A L^-1 r
-- and no row: from there to the base it is the recursion of a robot without rows. With L = l diag(d) l^T and
-- W = A l^-T, y = l^-1 r that is one row after the other:
--     IA' = IA + sum w w^T / d,   p' = p - sum w y / d
-- Outward, at body i: x = (y - W^T da) / d, nu = l^-T x.
-- Nothing is damped here: it holds where all rows are in force and every L is far from singular (early_rows.lua).
-- Source: Sathya, Bruyninckx, Decré, Pipeleers, "Efficient constrained dynamics algorithms based on an equivalent LQR
-- formulation using Gauss' principle of least constraint", IEEE Transactions on Robotics 40, 2024, there PV-early;
-- Featherstone, Rigid Body Dynamics Algorithms, 7.3.

local scalar = require "scalar"
local spatial = require "spatial"
local motion = require "motion"
local Factor = require "factor"
local articulated = require("recursion").articulated

local Early = {}
Early.__index = Early

-- of: {robot, inertias, armature = by joint, rows = those of the layout, wrenches_of(row) = the wrenches of its unit
-- force, {[body] = wrench}; sets = rows that are eliminated together, {at = body, -1: behind a moving base's own
-- freedoms; rows = numbers; name, id}; leads(row, K) = how large K of the first joint is beside what it could be, where
-- that is known}. Sweeps inward once.
--
-- Where K of the first joint behind the rows of a set is a constant, the row with the largest is eliminated there
-- alone, and only the others go on: it leads, and is the first of the set's rows. L of the others is then that of rows
-- that are met together with it; what it takes of their L_jj counts where pivots are judged (whole).
-- k: by row and coordinate, K of the joints that were passed, else 0; inv: 1 / D by coordinate.
function Early.new(of)
  local robot = of.robot
  local self = setmetatable({
    robot = robot, armature = of.armature, sets = of.sets, leads = of.leads, rows = of.rows,
    k = {}, inv = {}, U = {}, L = {}, taken = {}, carried = {}, along = {}, at = {}, set_of = {}, several = {},
    anyway = of.anyway,
  }, Early)
  for _, set in ipairs(of.sets) do
    set.d, set.inv, set.l, set.w, set.whole, set.y = {}, {}, {}, {}, {}, {}
    for a, j in ipairs(set.rows) do self.set_of[j], set.l[a] = set, {} end
  end
  for j, row in ipairs(of.rows) do
    self.k[j], self.L[j] = scalar.zeros(robot.nb + robot.chain.nj), {}
    if row.joint then
      local body = robot.chain.leader[row.joint]
      self.along[body] = self.along[body] or {}
      self.along[body][j] = true
      self:carry(body, j, motion.no_wrench)
    else
      local count = 0
      for body, wrench in pairs(of.wrenches_of(row)) do
        count = count + 1
        self:carry(body, j, wrench)
      end
      self.several[j] = count > 1
    end
  end
  for _, set in ipairs(of.sets) do self:settle(set, set.at, 1, #set.rows) end
  self:sweep(of.inertias)
  return self
end

-- A part of a set's rows, from the how-many-eth to which, is eliminated at a body.
function Early:settle(set, body, from, to)
  self.at[body] = self.at[body] or {}
  table.insert(self.at[body], {set = set, from = from, to = to})
end

-- After all rows of a set have passed the joint of their body i, of coordinate c: the one that leads.
function Early:lead(set, i, c)
  local parent = self.robot.bodies[i].parent
  if set.leader == nil then
    local best = 0.05
    for a, j in ipairs(set.rows) do
      local all = #set.rows > 1 and parent ~= set.at and self.carried[i][j] and scalar.is_number(self.k[j][c])
      local size = all and self.leads(self.rows[j], scalar.value(self.k[j][c])) or 0
      if size > best then best, set.leader = size, a end
    end
    for _, j in ipairs(set.rows) do -- the wrenches of one row, or of several, are on several bodies
      if self.several[j] or not self.carried[i][j] then set.leader = false end
    end
    set.leader = set.leader or false
    if set.leader then table.insert(set.rows, 1, table.remove(set.rows, set.leader)) end
  end
  if not set.leader then return end
  set.lead_body = i
  for _, part in ipairs(self.at[set.at]) do
    if part.set == set then part.from = 2 end
  end
  self:settle(set, parent, 1, 1)
end

-- Adds a wrench of row j on a body.
function Early:carry(body, j, wrench)
  self.carried[body] = self.carried[body] or {}
  motion.put_wrench(self.carried[body], j, wrench)
end

-- Inward: articulated inertias, rows, and what these leave where they are eliminated.
function Early:sweep(inertias)
  local robot, IA, nb = self.robot, {}, self.robot.nb
  for i = robot.base and 0 or 1, robot.n do IA[i] = articulated.rigid(inertias[i]) end
  for i = robot.n, 1, -1 do
    local b, c = robot.bodies[i], nb + robot.chain.joint_of[i]
    local A = self:eliminate(i, IA[i])
    ag.region("inward: articulated inertia, " .. b.link.name .. " -> " .. b.link.joint.name, b.link.id)
    articulated.hint(A)
    local U, d = articulated.force_of(b, A), self.armature[c - nb]
    self.U[i] = U
    self.inv[c] = scalar.divide(1, ag.label(motion.along_joint(b, U) + d, "D" .. c - nb))
    ag.label(self.inv[c], "iD" .. c - nb)
    if IA[b.parent] then
      local left = articulated.project(A, b, U, self.inv[c], d)
      IA[b.parent] = articulated.add(IA[b.parent], articulated.to_parent(b, left))
    end
    self:pass(i, c)
  end
  local A = self:eliminate(0, IA[0])
  if robot.base then self:pass_base(A) end
end

-- Rows through a moving base's own freedoms, those that are left, and their system.
function Early:pass_base(A)
  local robot, nb = self.robot, self.robot.nb
  self.base = Factor.new(articulated.base_block(nb, A), robot.chain.coordinates)
  for c = 1, nb do self.inv[c] = self.base.inv[c] end
  for _, part in ipairs(self.at[-1] or {}) do
    local set = part.set
    for _, j in ipairs(set.rows) do
      local wrench = self.carried[0] and self.carried[0][j] or motion.no_wrench
      for c, x in ipairs(self.base:back(motion.along_base(nb, wrench))) do self.k[j][c] = x end
    end
    for c = 1, nb do self:add_squares(set, c) end
  end
  self:eliminate(-1)
end

-- Adds K K^T / D of coordinate c to L of a set's rows.
function Early:add_squares(set, c)
  for a, j in ipairs(set.rows) do
    if not scalar.is_zero(self.k[j][c]) then
      local g = self.k[j][c] * self.inv[c]
      for b = 1, a do
        local l = set.rows[b]
        if not scalar.is_zero(self.k[l][c]) then self.L[j][l] = (self.L[j][l] or 0) + g * self.k[l][c] end
      end
    end
  end
end

-- The rows on body i through its joint, of coordinate c: K = S^T A, A' = X^T (A - U K / D).
function Early:pass(i, c)
  local robot, b, carried = self.robot, self.robot.bodies[i], self.carried[i]
  if not carried then return end
  ag.region("inward: rows, " .. b.link.name .. " -> " .. b.link.joint.name, b.link.id)
  local d, sets, seen = self.armature[c - robot.nb], {}, {}
  for j in ipairs(self.k) do
    local own = carried[j]
    if own then
      local here = self.along[i] and self.along[i][j] and 1 or 0
      self.k[j][c] = motion.along_joint(b, own) + here
      local g = self.k[j][c] * self.inv[c]
      local part = {f = own.f - g * self.U[i].f, n = own.n - g * self.U[i].n}
      local kept = (scalar.is_zero(d) and 0 or g * d) - here -- S^T (A - U K / D)
      if b.prismatic then part.f[3] = kept else part.n[3] = kept end
      if b.parent > 0 or robot.base then self:carry(b.parent, j, motion.wrench_to_parent(b, part)) end
      local set = self.set_of[j]
      if not seen[set] then seen[set], sets[#sets + 1] = true, set end
    end
  end
  for _, set in ipairs(sets) do
    if not set.begun then self:lead(set, i, c) end
    set.begun = true
    self:add_squares(set, c)
  end
end

-- 1 / d. Where d is the constant 0, rows depend on each other whatever the joints do, and the solve is not for them;
-- which is not asked `anyway`, as on numbers.
function Early:inverse(d)
  if not self.anyway and scalar.is_number(d) and scalar.value(d) <= 0 then
    self.dependent = true
    return 0
  end
  return scalar.divide(1, d)
end

-- The rows that are eliminated at body i: L = l diag(d) l^T, W = A l^-T; what is left of L and of the wrenches of the
-- others. Returns IA + W diag(d)^-1 W^T; IA nil: it is not needed.
function Early:eliminate(i, IA)
  local carried = self.carried[i] or {}
  for _, part in ipairs(self.at[i] or {}) do
    local set, L = part.set, self.L
    ag.region("inward: rows of " .. set.name .. " eliminated", set.id)
    for a = part.from, part.to do
      local j = set.rows[a]
      set.whole[a] = ag.label((L[j][j] or 0) + (self.taken[j] or 0), "L" .. j .. "_" .. j)
    end
    for b = part.to + 1, #set.rows do self.taken[set.rows[b]] = L[set.rows[b]][set.rows[b]] or 0 end
    for a = part.from, part.to do
      local j = set.rows[a]
      local d, w = L[j][j] or 0, carried[j] or motion.no_wrench
      set.d[a], set.inv[a] = ag.label(d, "d_" .. j), ag.label(self:inverse(d), "id_" .. j)
      set.w[a], carried[j] = w, nil
      if IA then
        motion.hint_wrench(w, "w_f", "w_n")
        local x = -set.inv[a]
        IA = articulated.less_product(IA, w, {n = x * w.n, f = x * w.f})
      end
      for b = a + 1, #set.rows do
        local n = set.rows[b]
        set.l[b][a] = (L[n][j] or 0) * set.inv[a]
        ag.hint({set.l[b][a]}, {"l" .. n .. "_" .. j})
        for e = a + 1, b do
          local o = set.rows[e]
          L[n][o] = (L[n][o] or 0) - set.l[b][a] * (L[o][j] or 0)
          ag.hint({L[n][o]}, {"L" .. n .. "_" .. o .. "_less" .. j})
        end
        if carried[n] then carried[n] = motion.sub_wrench(carried[n], motion.scale_wrench(set.l[b][a], w)) end
      end
    end
    part.felt = IA ~= nil
  end
  return IA
end

-- y = l^-1 r of the rows that are eliminated at body i, and what they leave of its wrench: p - W y / d.
function Early:meet(i, r, p)
  for _, part in ipairs(self.at[i] or {}) do
    local set = part.set
    ag.region("inward: bias of the rows of " .. set.name, set.id)
    for a = part.from, part.to do
      local y = r[set.rows[a]]
      set.y[a] = y
      ag.hint({y}, {"y" .. set.rows[a]})
      for b = a + 1, #set.rows do r[set.rows[b]] = r[set.rows[b]] - set.l[b][a] * y end
      if part.felt then p = motion.sub_wrench(p, motion.scale_wrench(y * set.inv[a], set.w[a])) end
    end
  end
  return p
end

-- nu of the rows that are eliminated at body i, for its motion da (nil: none), into nu.
function Early:forces(i, da, nu)
  for _, part in ipairs(self.at[i] or {}) do
    local set = part.set
    ag.region("outward: forces of the rows of " .. set.name, set.id)
    for a = part.to, part.from, -1 do
      local x = set.y[a]
      if part.felt and da then x = x - (spatial.dot(set.w[a].f, da.v) + spatial.dot(set.w[a].n, da.w)) end
      x = x * set.inv[a]
      for b = a + 1, #set.rows do x = x - set.l[b][a] * nu[set.rows[b]] end
      nu[set.rows[a]] = ag.label(x, "nu" .. set.rows[a])
    end
  end
end

-- vdot by coordinate and nu by row. tau: forces by coordinate; wrenches: those that the bodies need at vdot = 0, by
-- body; target: b - A^T a^0 by row.
function Early:solve(tau, wrenches, target)
  local robot, nb = self.robot, self.robot.nb
  local p, u, r = {}, {}, table.move(target, 1, #target, 1, {})
  for i = 0, robot.n do p[i] = wrenches[i] end
  local function less(c) -- r without what the force u_c does along the rows
    local k = u[c] * self.inv[c]
    for j = 1, #r do r[j] = r[j] - self.k[j][c] * k end
    return k
  end
  for i = robot.n, 1, -1 do
    local b, c = robot.bodies[i], nb + robot.chain.joint_of[i]
    local mine, d = self:meet(i, r, p[i] or motion.no_wrench), self.armature[c - nb]
    ag.region("inward: bias, " .. b.link.name .. " -> " .. b.link.joint.name, b.link.id)
    motion.hint_wrench(mine, "p_f", "p_n")
    u[c] = ag.label(tau[c] - motion.along_joint(b, mine), "u" .. c - nb)
    local k = less(c)
    if b.parent > 0 or robot.base then
      local pa = {f = mine.f + k * self.U[i].f, n = mine.n + k * self.U[i].n}
      local along = scalar.is_zero(d) and tau[c] or tau[c] - d * k
      if b.prismatic then pa.f[3] = along else pa.n[3] = along end
      motion.put_wrench(p, b.parent, motion.wrench_to_parent(b, pa))
    end
  end
  local left = motion.along_base(nb, self:meet(0, r, p[0] or motion.no_wrench))
  ag.region("inward: the base", "base")
  for c = 1, nb do left[c] = tau[c] - left[c] end
  for c, x in ipairs(self.base and self.base:back(left) or {}) do
    u[c] = ag.label(x, "u" .. robot.chain.coordinates[c].label)
    less(c)
  end
  self:meet(-1, r, motion.no_wrench)
  return self:outward(u)
end

-- u_c + sum K_jc nu_j of the rows that pass coordinate c
function Early:driven(u, c, nu)
  local e = u[c]
  for j, k in ipairs(self.k) do
    if not scalar.is_zero(k[c]) then e = e + k[c] * nu[j] end
  end
  return e
end

function Early:outward(u)
  local robot, nb, vdot, nu = self.robot, self.robot.nb, {}, {}
  self:forces(-1, nil, nu)
  if self.base then
    ag.region("outward: the base", "base")
    local e = {}
    for c = 1, nb do e[c] = self:driven(u, c, nu) end
    for c, x in ipairs(self.base:forward(e)) do vdot[c] = ag.label(x, "qdd" .. robot.chain.coordinates[c].label) end
  end
  local added = {[0] = motion.base_motion(nb, vdot)}
  self:forces(0, self.base and added[0], nu)
  for i, b in ipairs(robot.bodies) do
    motion.outward_region(b, "acceleration")
    local U, carried, c = self.U[i], motion.carry(b, added[b.parent]), nb + robot.chain.joint_of[i]
    local rest = self:driven(u, c, nu) - (spatial.dot(U.n, carried.w) + spatial.dot(U.f, carried.v))
    vdot[c] = ag.label(rest * self.inv[c], "qdd" .. c - nb)
    added[i] = motion.add_joint(b, carried, vdot[c])
    self:forces(i, added[i], nu)
  end
  return vdot, nu
end

return Early
