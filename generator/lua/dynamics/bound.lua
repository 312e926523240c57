-- SPDX-License-Identifier: MIT
-- bound.lua: how far computed accelerations can be from those that solve the equations exactly, in the numbers of the
-- call itself.
--
-- The computed qdd and nu, put into the equations of motion and of the rows, leave
--     r1 = tau + J^T A nu - ID(qdd)  by coordinate,      r2 = b - A^T a  by row.
-- The exact accelerations are qdd + d with  M d - J^T l = r1,  J d = r2,  so
--     d = G r1 + H r2,   H = M^-1 J^T (J M^-1 J^T)^-1,   G = M^-1 - H J M^-1.
-- r1 and r2 are computed with the same rounding as all else: what is computed of them is off by e1 and e2 at most,
-- units of rounding u times sizes of the terms (Higham, Accuracy and Stability, 3.1). Then
--     |d| <= x = |G| (|r1| + e1) + |H| (|r2| + e2),
-- but for the errors of G and H themselves, which those of M (at most c u s s^T, s_i^2 the most that coordinate i can
-- feel of inertia) and of J (c u times levers) make: T, that takes x to what these add to it. |d| <= x + T |d|; so
-- where T halves x or better, |d| <= x + 4 T x; elsewhere nothing is known. (Rump, Verification methods, Acta Numerica
-- 2010, 10.)

local scalar = require "scalar"
local spatial = require "spatial"
local motion = require "motion"
local Bound = require "bound_spread"

local norm, work = Bound.norm, Bound.work

-- The bounds by coordinate on the errors of vdot. tau: the torques that act, by coordinate; nu: by row, nil: no rows;
-- make_maps(bound, left): those of propagate.
function Bound.of(state, vdot, tau, nu, make_maps, fails)
  local self = Bound.new(state)
  self.u = state.single and 2 ^ -24 or 2 ^ -53
  ag.region("bound: the motion", "bound")
  local motions, left = motion.accelerations(state.robot, spatial.zero, vdot), {r2 = {}, parts = {}}
  local errors = self:of_motions(motions, vdot)
  left.motions = errors
  left.r1, left.e1, left.errors = self:dynamics(self:with_gravity(motions, errors), errors, vdot, tau, nu)
  if nu then left.r2, left.parts = self:of_rows(motions, errors, vdot) end
  return self:propagate(make_maps(self, left), left, vdot, fails)
end

-- M^-1 of a formulation, as a full matrix.
local function inverse_of(form, n)
  if form.factor then return form.factor:inverse() end
  local inverse = {}
  for i = 1, n do inverse[i] = {} end
  for c = 1, n do
    local unit = {}
    for i = 1, n do unit[i] = i == c and 1 or 0 end
    local column = form:accelerate(form:free(unit, {}))
    for i = 1, n do inverse[i][c] = column[i] end
  end
  return inverse
end

-- The maps of a general solve: form, rows' K, and their system (constraints.system).
--   W = M^-1 J^T,  H = W L^-1,  G = M^-1 - H W^T
-- Rows that are masked, dropped or out of reach have no part in L^-1: they are as if they were not there.
function Bound.general(form, k, system, n)
  return function(self, left)
    ag.region("bound: the inverse of the system", "bound")
    local state, m, G, H, W, columns, nothing = self.state, #k, inverse_of(form, n), {}, {}, {}, {}
    for i = 1, n do nothing[i], H[i] = 0, {} end
    for j = 1, m do
      W[j] = form:accelerate(k[j])
      local unit = {}
      for l = 1, m do unit[l] = l == j and 1 or 0 end
      columns[j] = system.solve(nothing, unit)
    end
    for i = 1, n do
      for j = 1, m do
        H[i][j] = 0
        for l = 1, m do H[i][j] = H[i][j] + W[l][i] * columns[j][l] end
      end
    end
    for i = 1, n do
      for c = 1, i do
        local sum = 0
        for j = 1, m do sum = sum + H[i][j] * W[j][c] end
        G[i][c] = G[i][c] - sum
        G[c][i] = G[i][c]
      end
    end
    -- by G = G^T, how a wrench on a body moves coordinate i is how a force along i moves the body
    local function response(i)
      local moved, wrenches, first = motion.added_accelerations(state.robot, G[i]), {}, state.base and 0 or 1
      for b = first, state.chain.n do wrenches[b] = motion.momentum(state.inertias[b], moved[b]) end
      local _, carried = motion.joint_forces(state.robot, wrenches, "bound: inward, ")
      ag.region("bound: what errors do to " .. state.chain.coordinates[i].name, "bound")
      return work(left, moved, carried, first, state.chain.n)
    end
    local function shares(i)
      local sum = 0
      for j = 1, m do sum = sum + scalar.abs(H[i][j]) * scalar.abs(left.r2[j]) end
      for _, part in ipairs(left.parts) do
        local list = {}
        for at, j in ipairs(part.rows) do list[at] = H[i][j] end
        sum = sum + self.u * (norm(list) * part.e)
      end
      return sum
    end
    return {G = G, H = H, levers = self:levers(), gram = system and system.diagonal, response = response,
      shares = shares}
  end
end

return Bound
