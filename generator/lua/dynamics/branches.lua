-- SPDX-License-Identifier: MIT
-- branches.lua: products with M^-1 of a robot on a floating base, whose limbs see each other through six numbers.
--
-- Limbs hang at the base, or at a body with several limbs (a chest: the trunk below it is a limb too). What moves them
-- there is the acceleration a of that body, along the base's axes at the base's origin. With the factors M = L^T D
-- L of the whole (factor.lua), N = L^-1 of the joints of one limb alone, and L_b the columns of L by the base:
--     inward   u = L^-T x        in each limb;  g = L_b^T u  is what the limb hands to its body, S_k^T g to a joint k
--     below it
--     y_base = (L^T D L)^-1 (x_base - sum g),   a = y_base + sum S_k y_k over the joints k below the body
--     outward  y = N D^-1 u + C a,   C = -N L_b
-- A row of L is S_k^T of its six numbers by the base where k does not belong to the limb, so these products are those
-- with L^-1.
-- Source: Featherstone, Rigid Body Dynamics Algorithms, 6.5 (factors), 9.5 (what a floating base couples).

local scalar = require "scalar"
local spatial = require "spatial"
local motion = require "motion"

local Branches = {}
Branches.__index = Branches

local nb = 6

-- The unit motion of the joint of body i, {linear, angular} along the base's axes at its origin.
local function axis(robot, i)
  local line = {f = spatial.vector {0, 0, 1}, n = spatial.zero}
  local at = motion.carry_wrench(robot, i, line, function() end)
  local f, n = at.f, at.n
  if robot.bodies[i].prismatic then return {f[1], f[2], f[3], 0, 0, 0} end
  return {n[1], n[2], n[3], f[1], f[2], f[3]}
end

-- By body, how many joints it carries and how many limbs begin at it.
local function load(robot)
  local carried, begin = {}, {}
  for i = 0, robot.n do carried[i], begin[i] = 0, 0 end
  for i = robot.n, 1, -1 do
    local parent = robot.bodies[i].parent
    carried[parent], begin[parent] = carried[parent] + carried[i] + 1, begin[parent] + 1
  end
  return carried, begin
end

-- By coordinate the body at which its limb hangs, 0: the base. A limb ends at a body that carries several where their
-- accelerations by six numbers take fewer products, of r rows and r of all n columns, than the acceleration of that
-- body.
local function hang(robot)
  local chain, at, cut = robot.chain, {}, {[0] = true}
  local carried, begin = load(robot)
  for i = 1, robot.n do
    cut[i] = not (chain.mimics or chain.coupled) and begin[i] > 1 and carried[i] ^ 2 > nb * (nb + chain.nj)
    local b = robot.bodies[i]
    at[nb + chain.joint_of[i]] = cut[b.parent] and b.parent or at[nb + chain.joint_of[b.parent]]
  end
  return at
end

-- By the coordinate of the joint that moves it, each body but the base at which limbs hang: {body, at = where its own
-- limb hangs, below = {{coordinate, axis}, ..}}, the joints of its own limb below it.
local function junctions(robot, at)
  local chain, list = robot.chain, {}
  local function coordinate(i) return nb + chain.joint_of[i] end
  for c = nb + 1, nb + chain.nj do
    local body = at[c]
    if body > 0 and not list[coordinate(body)] then
      local junction = {body = body, at = at[coordinate(body)], below = {}}
      local j = body
      while j ~= junction.at do
        table.insert(junction.below, {coordinate = coordinate(j), axis = axis(robot, j)})
        j = robot.bodies[j].parent
      end
      list[coordinate(body)] = junction
    end
  end
  return list
end

-- factor: of M.
function Branches.new(robot, factor)
  ag.region("limbs: N and C", "limbs")
  local at = hang(robot)
  local self = setmetatable({
    n = factor.n, L = factor.L, inv = factor.inv, at = at, shared = {}, up = {}, N = {}, C = {},
  }, Branches)
  self.junctions = junctions(robot, at)
  for b = 1, nb do self.shared[b] = true end
  for _, junction in pairs(self.junctions) do
    for _, k in ipairs(junction.below) do self.shared[k.coordinate] = true end
  end
  for i = nb + 1, self.n do
    local L, up, N, C = factor.L[i], {}, {}, {}
    for j = i - 1, nb + 1, -1 do
      if at[j] == at[i] and not scalar.is_zero(L[j]) then up[#up + 1] = j end
    end
    for k = 1, self.n do N[k] = k == i and 1 or 0 end
    for b = 1, nb do C[b] = -L[b] end
    for k = #up, 1, -1 do
      local j = up[k]
      for m = nb + 1, j do N[m] = N[m] - L[j] * self.N[j][m] end
      for b = 1, nb do C[b] = C[b] - L[j] * self.C[j][b] end
    end
    self.up[i], self.N[i], self.C[i] = up, N, C
  end
  return self
end

-- Adds k times six numbers to those that body i is handed.
local function hand(g, i, k, six)
  g[i] = g[i] or {0, 0, 0, 0, 0, 0}
  for b = 1, nb do g[i][b] = g[i][b] + k * six[b] end
end

-- u of a column x. g: by body, what it is handed already by the limb `done`, where x is u.
function Branches:inward(x, g, done)
  local u = table.move(x, 1, self.n, 1, {})
  for i = self.n, nb + 1, -1 do
    local junction = self.junctions[i]
    local handed = junction and g[junction.body]
    if handed then
      for _, k in ipairs(junction.below) do u[k.coordinate] = u[k.coordinate] - scalar.dot(k.axis, handed) end
      hand(g, junction.at, 1, handed)
    end
    if self.at[i] ~= done and not scalar.is_zero(u[i]) then
      for _, j in ipairs(self.up[i]) do u[j] = u[j] - self.L[i][j] * u[i] end
      hand(g, self.at[i], u[i], self.L[i])
    end
  end
  for b = 1, g[0] and nb or 0 do u[b] = u[b] - g[0][b] end
  for i = nb, 2, -1 do
    for b = i - 1, 1, -1 do u[b] = u[b] - self.L[i][b] * u[i] end
  end
  return u
end

-- sign times y of u, in the rows of the base, of junctions, and where wanted(i).
function Branches:outward(u, sign, wanted)
  local y, z, a = {}, {}, {}
  for i = 1, self.n do z[i] = u[i] * (sign * self.inv[i]) end
  for i = 1, nb do
    y[i] = z[i]
    for b = i - 1, 1, -1 do y[i] = y[i] - self.L[i][b] * y[b] end
  end
  a[0] = y
  for i = nb + 1, self.n do
    local junction = self.junctions[i]
    if self.shared[i] or wanted(i) then
      y[i] = scalar.dot(self.N[i], z) + scalar.dot(self.C[i], a[self.at[i]])
    end
    if junction then
      local six = table.move(a[junction.at], 1, nb, 1, {})
      for _, k in ipairs(junction.below) do
        for b = 1, nb do six[b] = six[b] + k.axis[b] * y[k.coordinate] end
      end
      a[junction.body] = six
    end
  end
  return y
end

local function all() return true end

-- sign times M^-1 X.
function Branches:solve_columns(X, sign)
  local result = {}
  for i = 1, self.n do result[i] = {} end
  for c = 1, #X[1] do
    local x = {}
    for i = 1, self.n do x[i] = X[i][c] end
    local y = self:outward(self:inward(x, {}), sign, all)
    for i = 1, self.n do result[i][c] = y[i] end
  end
  return result
end

-- M^-1, as a full matrix. A column of a joint starts with u = N^T and g = -C of its limb. The rows of the base and of
-- junctions are in every column, the others are those of the column of the lower coordinate.
function Branches:inverse()
  local inverse = {}
  for c = 1, self.n do inverse[c] = {} end
  for c = 1, self.n do
    local x, g, done = self.N[c], {}, self.at[c]
    if c <= nb then
      x = {}
      for i = 1, self.n do x[i] = i == c and 1 or 0 end
    else
      hand(g, done, -1, self.C[c])
    end
    local y = self:outward(self:inward(x, g, done), 1, function(i) return i >= c end)
    for i = 1, self.n do
      if self.shared[i] and i < c or i >= c then inverse[i][c], inverse[c][i] = y[i], y[i] end
    end
  end
  return inverse
end

return Branches
