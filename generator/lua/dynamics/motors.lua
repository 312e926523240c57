-- SPDX-License-Identifier: MIT
-- motors.lua: what artificial rows and wrenches ask for, realised by motors and contacts alone.
--
-- U: the freedoms without a motor; load: forces needed at all freedoms; J_c: the physical rows in force, W = 1 / L_kk
-- of each. Forces mu that the contacts exert on each other's behalf carry the share on U. What they cannot carry,
-- accelerations w of U take out of the motion: that of least constraint (Gauss) among those that motors can make.
--     f = load + J_c^T mu + M U^T w,   U f = 0,   J_c U^T w = 0,   least mu^T W^-1 mu;   tau = f of the motors
-- By the columns of B = J_c U^T, made orthogonal one after the other (Gram and Schmidt, weighted): B = V T, T with ones
-- on its diagonal, V^T W V = D = diag(d). A column of which nothing is left, d below a threshold of its scale, is one
-- that contacts do not hold: 1 / d counts as 0 there, and only there is T w not zero. With h = T^-T U load, C = T^-T U
-- M U^T T^-1:
--     C_ff (T w)_f = -h_f  of the columns f that are free,   x = -D^-1 (h + C T w) of the others,   mu = W V x
-- mu = W V x is the least one, since it is in the range of W B. Nothing is squared before it is solved: errors grow
-- with the condition of B, and where contacts hold all freedoms w is zero, exactly.
-- Sources: Bjorck, Numerical Methods for Least Squares Problems, 1996, 2.4 and 2.7; Udwadia, Kalaba, Analytical
-- Dynamics, 1996, for least constraint.

local scalar = require "scalar"
local constraints = require "constraints"
local Factor = require "factor"
local Joint = require "joint"
local Gears = require "gears"

local Motors = {}
Motors.__index = Motors

-- Sizes are squares, of what is left of a column of B beside its whole, which counts as no less than `floor` of its
-- scale. What rounding leaves of a column that contacts do not hold is below `rounding` over the product of the sizes
-- of those before that they hold.
-- A column counts as held above `kept` times that, and above `least` of its scale. SINGULAR tells that it cannot be
-- known whether contacts hold a column: it is between the two, or it counts as free and is above `left`; or in which
-- direction: all that it adds is below `weak`.
local floor, kept = 1e-2, 10
local limits = {
  double = {rounding = 1e-30, least = 1e-20, left = 1e-17, weak = 1e-13},
  single = {rounding = 1e-13, least = 1e-9, left = 1e-7, weak = 1e-5},
}
-- What of L_jj must be left for motors to reach row j.
local in_reach = {double = 1e-8, single = 1e-3}

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

-- system: of constraints.system; J: of every row, by coordinate.
function Motors.new(state, rows, J, system)
  local k, inv, masks = system.k, system.inv, system.masks
  local chain, precision = state.chain, state.single and "single" or "double"
  local self = setmetatable({rows = rows, J = J, n = chain.nb + chain.nj}, Motors)
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
  Gears.onto(mass, chain.nb, state.armature)
  self.mass = function(i, j) return i >= j and mass[i][j] or mass[j][i] end
  local diagonal = {}
  for j = 1, #rows do
    local sum = 0
    for i = 1, #inv do sum = sum + (k[j][i] * inv[i]) * k[j][i] end
    diagonal[j] = sum
  end
  local reach = constraints.reached(diagonal, masks, system.scales)
  -- W of the physical rows in force
  self.weights, self.held = {}, {}
  ag.region("motors: what contacts hold", "motors")
  for j, row in ipairs(rows) do
    self.held[j] = self:of_idle(J[j])
    if row.group.kind == "physical" and any(self.held[j]) and not scalar.is_zero(diagonal[j]) then
      local w = scalar.select(reach[j], 1 / diagonal[j], 0)
      self.weights[j] = masks[j] and masks[j] * w or w
    end
  end
  self:orthogonalize(chain, limits[precision])
  self.C = {}
  for a, c in ipairs(self.idle) do
    self.C[a] = {}
    for b = 1, #self.idle do self.C[a][b] = self.mass(c, self.idle[b]) end
  end
  self:factor_free(names)
  self.answers = {}
  for j, row in ipairs(rows) do
    if row.group.kind == "artificial" then self.answers[j] = self:answer(J[j]) end
  end
  return self
end

-- B = V T. V: by freedom, by contact row; unclear: the condition that of some column it is not known whether, or how,
-- it is held.
function Motors:orthogonalize(chain, limit)
  local list, n = {}, #self.idle
  for j = 1, #self.rows do
    if self.weights[j] then list[#list + 1] = j end
  end
  self.V, self.T, self.inv, self.free, self.unclear = {}, {}, {}, {}, false
  local scale, whole, inverse = {}, {}, {} -- whole: B's, then with the floor
  for a = 1, n do
    self.V[a], self.T[a], scale[a], whole[a] = {}, {}, 0, 0
    for _, j in ipairs(list) do self.V[a][j] = self.held[j][a] end
  end
  for _, j in ipairs(list) do
    local levers = constraints.lever_squares(chain, self.rows[j])
    for a, c in ipairs(self.idle) do
      scale[a] = scale[a] + self.weights[j] * levers[c]
      whole[a] = whole[a] + (self.weights[j] * self.held[j][a]) * self.held[j][a]
    end
  end
  for a = 1, n do
    whole[a] = scalar.max(whole[a], floor * scale[a])
    scalar.limit(floor * scale[a], floor, "least_whole",
      "a column's square counts as no less than this of the square of its scale")
    inverse[a] = scalar.is_zero(whole[a]) and 0 or scalar.divide(1, scalar.select(scalar.lt(0, whole[a]), whole[a], 1))
  end
  local before = 1 -- the product of the relative sizes of held columns
  for a = 1, n do
    local d, weighted = 0, {}
    for _, j in ipairs(list) do
      weighted[j] = self.weights[j] * self.V[a][j]
      d = d + weighted[j] * self.V[a][j]
    end
    local held, added = false, 0
    if not scalar.is_zero(d) then
      local size = ag.label(d, "held" .. a) * inverse[a]
      local product = before * size
      held = scalar.land(
        scalar.above_share(limit.least, scale[a], d, "least_held",
          "contacts hold a freedom of which they leave more than this of its scale"),
        scalar.limit(scalar.lt(kept * limit.rounding, product), kept * limit.rounding, "above_rounding",
          "and " .. kept .. " times what rounding leaves"))
      local more = scalar.lor(
        scalar.limit(scalar.lt(limit.rounding, product), limit.rounding, "rounding",
          "what rounding leaves of a freedom that contacts do not hold"),
        scalar.limit(scalar.lt(limit.left, size), limit.left, "most_left",
          "SINGULAR where more than this is left of one that counts as free"))
      self.unclear = scalar.lor(self.unclear, scalar.land(scalar.lnot(held), more))
      before, added = scalar.select(held, product, before), size
    end
    self.free[a] = scalar.lnot(held)
    self.inv[a] = held and scalar.select(held, scalar.divide(1, d), 0) or 0
    for b = a + 1, n do
      local sum = 0
      for _, j in ipairs(list) do sum = sum + weighted[j] * self.V[b][j] end
      local t = sum * self.inv[a]
      self.T[a][b] = t
      added = added + (t * sum) * inverse[b]
      for _, j in ipairs(list) do self.V[b][j] = self.V[b][j] - t * self.V[a][j] end
    end
    if held then
      local weak = scalar.limit(scalar.lt(added, limit.weak), limit.weak, "weak",
        "SINGULAR where a freedom that is held adds less than this")
      self.unclear = scalar.lor(self.unclear, scalar.land(held, weak))
    end
  end
end

-- T^-T x
function Motors:across(x)
  local y = {}
  for b = 1, #x do
    y[b] = x[b]
    for a = 1, b - 1 do y[b] = y[b] - self.T[a][b] * y[a] end
  end
  return y
end

-- T^-T C T^-1, and the factors of its free part; held freedoms stand alone in that.
function Motors:factor_free(names)
  local n, half, part = #self.idle, {}, {}
  for a = 1, n do half[a] = self:across(self.C[a]) end -- C T^-1 by rows
  self.S = {}
  for b = 1, n do
    local column = {}
    for a = 1, n do column[a] = half[a][b] end
    column = self:across(column)
    for a = 1, n do
      self.S[a] = self.S[a] or {}
      if a >= b then self.S[a][b] = column[a] end
    end
  end
  for a = 1, n do
    part[a] = {}
    for b = 1, a do
      self.S[b][a] = self.S[a][b]
      part[a][b] = a == b and self.S[a][a] or scalar.select(scalar.land(self.free[a], self.free[b]), self.S[a][b], 0)
    end
  end
  self.of_free = Factor.new(part, names)
end

-- Of forces or accelerations by coordinate those of the freedoms without a motor.
function Motors:of_idle(x)
  local r = {}
  for a, c in ipairs(self.idle) do r[a] = x[c] end
  return r
end

-- {w, x} for a load by coordinate; nil where it loads motors only.
function Motors:answer(load)
  local g, n = self:of_idle(load), #self.idle
  if not any(g) then return nil end
  ag.region("motors: what contacts carry", "motors")
  local h, w, x = self:across(g), {}, {}
  for a = 1, n do w[a] = scalar.select(self.free[a], -h[a], 0) end
  w = self.of_free:forward(self.of_free:back(w))
  for a = 1, n do
    local sum = h[a]
    for b = 1, n do sum = sum + self.S[a][b] * w[b] end
    x[a] = -(sum * self.inv[a])
  end
  for a = n - 1, 1, -1 do -- T^-1
    for b = a + 1, n do w[a] = w[a] - self.T[a][b] * w[b] end
  end
  return {w = w, x = x}
end

-- What row j sees of accelerations w.
function Motors:seen(j, answer)
  local sum = 0
  for a, x in ipairs(answer and answer.w or {}) do sum = sum + self.held[j][a] * x end
  return sum
end

-- What L_jl grows by (constraints.system): rows see the accelerations that are taken out of the motion. Contacts see
-- none.
function Motors:grows(j, l)
  if not self.answers[l] or self.rows[j].group.kind ~= "artificial" then return 0 end
  return self:seen(j, self.answers[l])
end

-- Takes from `left`, by row, what the artificial rows see of the accelerations that come with their forces nu.
function Motors:take(left, nu)
  local w = {}
  for a = 1, #self.idle do
    w[a] = 0
    for j = 1, #self.rows do
      local part = self.answers[j]
      if part then w[a] = w[a] + part.w[a] * nu[j] end
    end
  end
  for j, row in ipairs(self.rows) do
    if row.group.kind == "artificial" then left[j] = left[j] - self:seen(j, {w = w}) end
  end
end

-- Targets of a solve in which `own`, by coordinate, is needed beside the rows. Returns them, and the answer to own.
function Motors:targets(target, own)
  local answer, r = self:answer(own), {}
  for j, row in ipairs(self.rows) do
    r[j] = target[j]
    if row.group.kind == "artificial" then r[j] = r[j] - self:seen(j, answer) end
  end
  return r, answer
end

-- Of a solution nu with the answer to own: the forces of the rows, physical ones less mu; f by coordinate; vdot by
-- coordinate with w.
function Motors:realise(nu, own, answer, vdot)
  ag.region("motors: forces and motion", "motors")
  local w, x = {}, {}
  for a = 1, #self.idle do
    w[a], x[a] = answer and answer.w[a] or 0, answer and answer.x[a] or 0
    for j = 1, #self.rows do
      local part = self.answers[j]
      if part then w[a], x[a] = w[a] + part.w[a] * nu[j], x[a] + part.x[a] * nu[j] end
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
        if self.weights[j] then through = through + self.V[a][j] * x[a] end
      end
      if self.weights[j] then through = through * self.weights[j] end
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

-- Whether motors cannot do what is needed: an artificial row in force is out of their reach, or a part of `own`, needed
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
