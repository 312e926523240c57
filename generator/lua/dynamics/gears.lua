-- SPDX-License-Identifier: MIT
-- gears.lua: motors that are not joints. Velocities of motors are those of joints by a constant matrix, w = G qd. Power
-- is the same on both sides, so that torques are
--     tau = G^T tau_m,   and of all tau_m that give tau the least:  tau_m = G (G^T G)^-1 tau  (= G^-T tau, G square)
-- What is of a motor, a rotor's inertia J or a viscous friction d, couples joints:
--     M += G^T J G,   tau -= G^T d G qd
-- Source: Featherstone, Rigid Body Dynamics Algorithms, 2008, 9.6 (gears).

local scalar = require "scalar"

local Gears = {}
Gears.__index = Gears

local small = 1e-9 -- a pivot below this share of its column is none

-- The joints that motors move, in groups of which no motor moves two: {joints, motors}.
local function components(G, nj)
  local of, list = {}, {}
  local function root(j)
    while of[j] ~= j do j = of[j] end
    return j
  end
  for j = 1, nj do of[j] = j end
  for _, row in ipairs(G) do
    local first
    for j = 1, nj do
      if not scalar.is_zero(row[j]) then
        first = first or j
        local a, b = root(first), root(j)
        of[math.max(a, b)] = math.min(a, b)
      end
    end
  end
  local by_root = {}
  for j = 1, nj do
    local r = root(j)
    if not by_root[r] then
      by_root[r] = {joints = {}, motors = {}}
      list[#list + 1] = by_root[r]
    end
    table.insert(by_root[r].joints, j)
  end
  for m, row in ipairs(G) do
    for j = 1, nj do
      if not scalar.is_zero(row[j]) then
        table.insert(by_root[root(j)].motors, m)
        break
      end
    end
  end
  return list
end

local function size(x) return math.abs(scalar.value(x)) end

-- Solves A X = B by elimination with the largest pivot of each column, A square, in place; nil and the column where
-- there is no pivot.
local function solved(A, B)
  local n, scale = #A, 0
  for i = 1, n do
    for j = 1, n do scale = math.max(scale, size(A[i][j])) end
  end
  for c = 1, n do
    local best = c
    for i = c + 1, n do
      if size(A[i][c]) > size(A[best][c]) then best = i end
    end
    if size(A[best][c]) <= small * scale then return nil, c end
    A[c], A[best], B[c], B[best] = A[best], A[c], B[best], B[c]
    local inverse = scalar.divide(1, A[c][c])
    for j = 1, n do A[c][j] = inverse * A[c][j] end
    for j = 1, #B[c] do B[c][j] = inverse * B[c][j] end
    for i = 1, n do
      local x = A[i][c]
      if i ~= c and not scalar.is_zero(x) then
        for j = 1, n do A[i][j] = A[i][j] - x * A[c][j] end
        for j = 1, #B[c] do B[i][j] = B[i][j] - x * B[c][j] end
      end
    end
  end
  return B
end

-- The motors' torques by those of joints, of one component: T[motor][joint]; nil and a joint that depends on others.
local function torques_of(G, part)
  local joints, motors, A, B = part.joints, part.motors, {}, {}
  local square = #joints == #motors
  for i, a in ipairs(joints) do
    A[i], B[i] = {}, {}
    for j, b in ipairs(joints) do
      local sum = 0
      for _, m in ipairs(motors) do sum = sum + G[m][a] * G[m][b] end
      A[i][j] = square and G[motors[j]][a] or sum -- G^T, or G^T G
      B[i][j] = i == j and 1 or 0
    end
  end
  local X, without = solved(A, B)
  if not X then return nil, joints[without] end
  if square then return X end
  local T = {}
  for k, m in ipairs(motors) do
    T[k] = {}
    for j = 1, #joints do
      local sum = 0
      for i, a in ipairs(joints) do sum = sum + G[m][a] * X[i][j] end
      T[k][j] = sum
    end
  end
  return T
end

-- motors: {of = {[body] = ratio}, inertia, viscous} each. Returns {G, T by motor and joint; unreached: a joint whose
-- torque no motors give apart from the others'; rotors, damping: by joint, with what couples joints (Gears.onto)}.
function Gears.new(chain, motors)
  local self = setmetatable({G = {}, T = {}, nj = chain.nj}, Gears)
  for m, motor in ipairs(motors) do
    local row = scalar.zeros(chain.nj)
    for i = 1, chain.n do
      local j = chain.joint_of[i]
      if motor.of[i] then row[j] = row[j] + chain.ratio[i] * motor.of[i] end
    end
    self.G[m], self.T[m] = row, scalar.zeros(chain.nj)
  end
  for _, part in ipairs(components(self.G, chain.nj)) do
    if #part.motors > 0 then
      local T, without = torques_of(self.G, part)
      self.unreached = self.unreached or without
      for k, m in ipairs(T and part.motors or {}) do
        for c, j in ipairs(part.joints) do self.T[m][j] = T[k][c] end
      end
    end
  end
  self.rotors, self.damping = self:between(motors, "inertia"), self:between(motors, "viscous")
  return self
end

-- G^T diag(x) G, x the motors' numbers `word`: its diagonal by joint, and in `coupled` what is beside it, {i, j, x}
-- each with i > j.
function Gears:between(motors, word)
  local r = {coupled = {}}
  for i = 1, self.nj do
    for j = 1, i do
      local sum = 0
      for m, motor in ipairs(motors) do
        local a, b = self.G[m][i], self.G[m][j]
        if not (scalar.is_zero(a) or scalar.is_zero(b)) then sum = sum + (a * motor[word]) * b end
      end
      if i == j then r[i] = sum elseif not scalar.is_zero(sum) then r.coupled[#r.coupled + 1] = {i, j, sum} end
    end
  end
  return r
end

-- Whether a rotor or a motor's viscous friction couples joints.
function Gears:couples() return #self.rotors.coupled + #self.damping.coupled > 0 end

-- The torques of the motors, for those of the joints.
function Gears:to_motors(tau)
  local r = {}
  for m, row in ipairs(self.T) do
    local sum = 0
    for j = 1, self.nj do
      if not scalar.is_zero(row[j]) then sum = sum + row[j] * tau[j] end
    end
    r[m] = sum
  end
  return r
end

-- The torques of the joints, for those of the motors.
function Gears:to_joints(torques)
  local r = {}
  for j = 1, self.nj do
    local sum = 0
    for m, row in ipairs(self.G) do
      if not scalar.is_zero(row[j]) then sum = sum + row[j] * torques[m] end
    end
    r[j] = sum
  end
  return r
end

-- Of a symmetric matrix over joints, {[j] = its diagonal, coupled} (coupled: nil: it is diagonal): A x by joint, x
-- behind `skipped` others.
function Gears.times(A, x, skipped)
  local r, from = {}, skipped or 0
  for j = 1, #A do r[j] = A[j] * x[from + j] end
  for _, c in ipairs(A.coupled or {}) do
    local i, j, value = c[1], c[2], c[3]
    r[i], r[j] = r[i] + value * x[from + j], r[j] + value * x[from + i]
  end
  return r
end

-- Adds A to the lower triangle of a matrix by coordinate, of which the first nb are the base's.
function Gears.onto(mass, nb, A)
  for j = 1, #A do mass[nb + j][nb + j] = mass[nb + j][nb + j] + A[j] end
  for _, c in ipairs(A.coupled or {}) do mass[nb + c[1]][nb + c[2]] = mass[nb + c[1]][nb + c[2]] + c[3] end
end

-- Adds A x to forces by coordinate, x by coordinate.
function Gears.push(forces, nb, A, x)
  for j, f in ipairs(Gears.times(A, x, nb)) do forces[nb + j] = forces[nb + j] + f end
  return forces
end

-- Whether a motor has viscous friction.
function Gears:damps()
  for j = 1, self.nj do
    if not scalar.is_zero(self.damping[j]) then return true end
  end
  return false
end

-- Row i of A, times x by joint.
function Gears.row_times(A, i, x)
  local sum = scalar.is_zero(A[i]) and 0 or A[i] * x[i]
  for _, c in ipairs(A.coupled or {}) do
    if c[1] == i then sum = sum + c[3] * x[c[2]] elseif c[2] == i then sum = sum + c[3] * x[c[1]] end
  end
  return sum
end

-- Adds s A to a full matrix by coordinate, of which the first nb are the base's.
function Gears.onto_full(M, nb, s, A)
  for j = 1, #A do M[nb + j][nb + j] = M[nb + j][nb + j] + s * A[j] end
  for _, c in ipairs(A.coupled or {}) do
    local i, j, x = nb + c[1], nb + c[2], s * c[3]
    M[i][j], M[j][i] = M[i][j] + x, M[j][i] + x
  end
end

-- a A + b B
function Gears.sum(a, A, b, B)
  local r = {coupled = {}}
  for j = 1, #A do r[j] = a * A[j] + b * B[j] end
  for _, c in ipairs(A.coupled or {}) do table.insert(r.coupled, {c[1], c[2], a * c[3]}) end
  for _, c in ipairs(B.coupled or {}) do table.insert(r.coupled, {c[1], c[2], b * c[3]}) end
  return r
end

-- How many of a transmission's joints its motors move apart from each other.
function Gears:rank_of(chain, t)
  local rows, rank = {}, 0
  for m, row in ipairs(self.G) do rows[m] = table.move(row, 1, self.nj, 1, {}) end
  local seen = {}
  for _, i in ipairs(t.bodies) do
    local c = chain.joint_of[i]
    local best
    for m, row in ipairs(rows) do
      if size(row[c]) > small and (not best or size(row[c]) > size(rows[best][c])) then best = m end
    end
    if best and not seen[c] then
      seen[c], rank = true, rank + 1
      local pivot = table.remove(rows, best)
      for _, row in ipairs(rows) do
        local x = scalar.value(row[c]) / scalar.value(pivot[c])
        for j = 1, self.nj do row[j] = row[j] - x * pivot[j] end
      end
    end
  end
  return rank
end

return Gears
