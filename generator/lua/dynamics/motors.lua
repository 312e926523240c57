-- motors.lua: what artificial rows and wrenches ask for, realised by motors and contacts alone.
--
-- U: the freedoms without a motor; load: what is asked of all freedoms; J_c: the physical rows in force, W = 1 / L_kk of each. Forces mu
-- that the contacts exert on each other's behalf carry the share on U. What they cannot carry, accelerations w of U take out
-- of the motion: that of least constraint (Gauss) among those that motors can make.
--     f = load + J_c^T mu + M U^T w,   U f = 0,   J_c U^T w = 0,   least mu^T W^-1 mu;   tau = f of the motors
-- By the augmented Lagrangian, e small, three passes from mu = 0 (each takes the error times about e), no rank being decided:
--     S w = -U (load + J_c^T mu),   mu += W J_c U^T w / e,   S = U M U^T + U J_c^T W J_c U^T / e
-- With C = U M U^T the right side of the next pass is C w of the one before:
--     S w1 = -U load,  S w2 = C w1,  S w3 = C w2;   mu = W J_c U^T (w1 + w2 + w3) / e,  w = w3
-- Sources: Hestenes, Multiplier and gradient methods, J. Optimization Theory and Applications 4, 1969; Udwadia, Kalaba, Analytical
-- Dynamics, 1996, for least constraint.

local scalar = require "scalar"
local constraints = require "constraints"
local Factor = require "factor"
local Joint = require "joint"

local Motors = {}
Motors.__index = Motors

-- How far below their own scale contacts are soft in a pass; and what of L_jj must be left for motors to reach row j.
local softness, in_reach = {double = 1e-6, single = 1e-3}, {double = 1e-8, single = 1e-3}

-- Is there a freedom without a motor, and are motors alone to realise what is artificial?
function Motors.needed(layout, chain)
  return layout.realise == "motors" and (chain.nb > 0 or next(layout.passive) ~= nil)
end

local function any(x)
  for a = 1, #x do
    if not scalar.is_zero(x[a]) then return true end
  end
  return false
end

-- J, k: of every row, by coordinate; inv: 1 / D; masks: per row a scalar or false; scales: constraints.scales.
function Motors.new(state, rows, J, k, inv, masks, scales)
  local chain, precision = state.chain, state.single and "single" or "double"
  local self = setmetatable({rows = rows, J = J, e = softness[precision], n = chain.nb + chain.nj}, Motors)
  self.least = in_reach[precision]
  ag.region("motors: freedoms that have none", "motors")
  self.idle, self.C = {}, {}
  local names = {}
  for c = 1, self.n do
    if c <= chain.nb or state.passive[c - chain.nb] then
      self.idle[#self.idle + 1] = c
      local name = chain.coordinates[c]
      names[#names + 1] = {name = name.name .. ", no motor", id = name.id, label = "_idle" .. #names + 1}
    end
  end
  local mass = Joint.mass_matrix(state.robot, state.inertias)
  for j = 1, chain.nj do mass[chain.nb + j][chain.nb + j] = mass[chain.nb + j][chain.nb + j] + state.armature[j] end
  self.mass = function(i, j) return i >= j and mass[i][j] or mass[j][i] end
  local diagonal = {}
  for j = 1, #rows do
    local sum = 0
    for i = 1, #inv do sum = sum + (k[j][i] * inv[i]) * k[j][i] end
    diagonal[j] = sum
  end
  local reach = constraints.reached(diagonal, masks, scales)
  -- W / e of the physical rows in force
  self.stiffness, self.held = {}, {}
  ag.region("motors: stiff contacts", "motors")
  for j, row in ipairs(rows) do
    self.held[j] = self:of_idle(J[j])
    if row.group.kind == "physical" and any(self.held[j]) and not scalar.is_zero(diagonal[j]) then
      local w = scalar.select(reach[j], 1 / (self.e * diagonal[j]), 0)
      self.stiffness[j] = masks[j] and masks[j] * w or w
    end
  end
  local S = {}
  for a, c in ipairs(self.idle) do
    S[a], self.C[a] = {}, {}
    for b = 1, #self.idle do self.C[a][b] = self.mass(c, self.idle[b]) end
    for b = 1, a do
      S[a][b] = self.C[a][b]
      for j = 1, #rows do
        if self.stiffness[j] then S[a][b] = S[a][b] + (self.stiffness[j] * self.held[j][a]) * self.held[j][b] end
      end
    end
  end
  self.S = Factor.new(S, names)
  self.answers = {}
  for j, row in ipairs(rows) do
    if row.group.kind == "artificial" then self.answers[j] = self:answer(J[j]) end
  end
  return self
end

-- Of forces or accelerations by coordinate those of the freedoms without a motor.
function Motors:of_idle(x)
  local r = {}
  for a, c in ipairs(self.idle) do r[a] = x[c] end
  return r
end

-- {w, sum = w1 + w2 + w3} for a load by coordinate; nil where it loads motors only.
function Motors:answer(load)
  local g = self:of_idle(load)
  if not any(g) then return nil end
  ag.region("motors: what contacts carry, three passes", "motors")
  local w, sum = self.S:forward(self.S:back(g)), {}
  for a = 1, #w do
    w[a] = -w[a]
    sum[a] = w[a]
  end
  for _ = 2, 3 do
    local pushed = {}
    for a = 1, #w do
      pushed[a] = 0
      for b = 1, #w do pushed[a] = pushed[a] + self.C[a][b] * w[b] end
    end
    w = self.S:forward(self.S:back(pushed))
    for a = 1, #w do sum[a] = sum[a] + w[a] end
  end
  return {w = w, sum = sum}
end

-- What row j sees of accelerations w.
function Motors:seen(j, answer)
  local sum = 0
  for a, x in ipairs(answer and answer.w or {}) do sum = sum + self.held[j][a] * x end
  return sum
end

-- What L_jl grows by (constraints.system): rows see the accelerations that are taken out of the motion. Contacts see none.
function Motors:grows(j, l)
  if not self.answers[l] or self.rows[j].group.kind ~= "artificial" then return 0 end
  return self:seen(j, self.answers[l])
end

-- Targets of a solve in which `own`, by coordinate, is asked for beside the rows. Returns them, and the answer to own.
function Motors:targets(target, own)
  local answer, r = self:answer(own), {}
  for j, row in ipairs(self.rows) do
    r[j] = target[j]
    if row.group.kind == "artificial" then r[j] = r[j] - self:seen(j, answer) end
  end
  return r, answer
end

-- Of a solution nu with the answer to own: the forces of the rows, physical ones less mu; f by coordinate; vdot by coordinate with w.
function Motors:realise(nu, own, answer, vdot)
  ag.region("motors: forces and motion", "motors")
  local w, sum = {}, {}
  for a = 1, #self.idle do
    w[a], sum[a] = answer and answer.w[a] or 0, answer and answer.sum[a] or 0
    for j = 1, #self.rows do
      local part = self.answers[j]
      if part then w[a], sum[a] = w[a] + part.w[a] * nu[j], sum[a] + part.sum[a] * nu[j] end
    end
  end
  local forces, f, moved = {}, {}, {}
  for i = 1, self.n do f[i], moved[i] = own[i], vdot[i] end
  for j, row in ipairs(self.rows) do
    local through = 0 -- what the motors give by way of this row
    if row.group.kind == "artificial" then
      through, forces[j] = nu[j], nu[j]
    else
      for a = 1, #w do
        if self.stiffness[j] then through = through + self.held[j][a] * sum[a] end
      end
      if self.stiffness[j] then through = through * self.stiffness[j] end
      forces[j] = nu[j] - through
    end
    for i = 1, self.n do f[i] = f[i] + self.J[j][i] * through end
  end
  for a, c in ipairs(self.idle) do
    for i = 1, self.n do f[i] = f[i] + self.mass(i, c) * w[a] end
    moved[c] = moved[c] + w[a]
  end
  return forces, f, moved
end

-- Whether motors cannot do what is asked: an artificial row in force is out of their reach, or a share of `own`, asked for
-- beside the rows, moves what no motor moves. acted: of the rows' system.
function Motors:beyond(state, acted, own)
  local told = acted[#self.rows + 1] or false -- a cut of singularity = "truncate" is of no one row
  for j, row in ipairs(self.rows) do
    if row.group.kind == "artificial" then told = scalar.lor(told, acted[j]) end
  end
  if own then
    local least = self.least * state:force_scale()
    for a = 1, #self.idle do
      local left = 0
      for b = 1, #self.idle do left = left + self.C[a][b] * own.w[b] end
      told = scalar.lor(told, scalar.lt(least, scalar.abs(left)))
    end
  end
  return told
end

return Motors
