-- SPDX-License-Identifier: MIT
-- qp_friction.lua: dry friction of joints in an optimum of motors and contacts (qp.lua).
--
-- Of a joint that may stick, r the largest friction at rest and b the acceleration at which it sticks (row_bounds.lua),
-- the unknown is the whole torque w = tau + f. With the slip a = qdd - b Coulomb's law is
--   |f| <= r,   a > 0: f = -r,   a < 0: f = r
-- so that a motor of effort E (0: none) can do what
--   -E - r <= w <= E + r   and   (w <= E - r or a <= 0)   and   (w >= r - E or a >= 0)
-- say. Which of two to take is found by achd_qp_friction (achd/qp.h), to which each joint is four rows of level 0:
--   w within its bounds;   a - s <= 0;   a + s >= 0;   a without bounds
-- and an unknown s >= |a|. The objective has r |a| for it, Gauss' function of a body that rubs (Moreau, Unilateral
-- contact and dry friction in finite freedom dynamics, 1988): least for the motion that friction alone leaves.
-- Where friction holds, f is what leaves the motor the least torque: friction first. A joint in motion has the friction
-- that its velocity says, as a force that is known.

local scalar = require "scalar"
local RowBounds = require "row_bounds"

local Friction = {}

-- What s_j^2 / 2 weighs, as a part of the inertia that the joint feels: the solver needs a strictly convex problem.
local slight = {double = 1e-6, single = 1e-3}
-- Of the terms that a slip is the sum of: less is rounding, and the joint sticks.
local rounding = {double = 1e-8, single = 1e-3}

-- The joints with dry friction in the order of their rows: {[k] = joint}, and {[joint] = k}.
function Friction.joints(layout)
  local list, place = {}, {}
  for _, g in ipairs(layout.joint_groups) do
    for _, j in ipairs(g.coulomb and g.joints or {}) do
      list[#list + 1] = j
      place[j] = #list
    end
  end
  return list, place
end

-- Reads the friction of this state: {joint, most: r, below 0 where the numbers mean nothing; b} in the order of the
-- rows; state.rubbed: the friction of joints in motion.
function Friction.read(state)
  local list = {}
  state.rubbed = {}
  for _, g in ipairs(state.joint_groups) do
    for k, j in ipairs(g.coulomb and g.joints or {}) do
      ag.region("friction of joints", "friction")
      local most, moving, b = RowBounds.split_friction(state, g, k)
      list[#list + 1] = {joint = j, most = most, b = b}
      state.rubbed[j] = moving
    end
  end
  return list
end

-- Friction of joint i that its velocity tells: viscous, and dry in motion.
function Friction.known(state, i)
  local rubbed = state.rubbed[i] or 0
  return rubbed - state:viscous_torque(i)
end

-- Adds the rows. list: of Friction.read; at: {[joint] = its unknown w}; slack: the number of unknowns before the s;
-- mobility: by unknown w; vdot_0, vdot(i): accelerations by coordinate at x = 0, and what a unit of x_i adds. Fills the
-- slip of each: {constant, coefficients}.
function Friction.add(state, problem, list, given)
  local none, nb, n = ag.no_bound(state.single), state.chain.nb, problem.n
  local function row(coefficient)
    local a = {}
    for i = 1, n do a[i] = coefficient(i) end
    return a
  end
  for k, f in ipairs(list) do
    ag.region("friction of " .. state.chain.joint_names[f.joint], "friction")
    local own, s, c = given.at[f.joint], given.slack + k, nb + f.joint
    local effort = not state.passive[f.joint] and state.layout.within[f.joint] or state.passive[f.joint] and 0 or nil
    local slip = row(function(i)
      local a = i <= #given.mobility and given.vdot(i)[c] or 0
      if scalar.is_zero(a) then return 0 end
      local square = a * a
      local least = scalar.share(problem.rounding * problem.rounding, given.mobility[own] * given.mobility[i],
        "rounding_squared", "of the square of what the torque could do at most: less is rounding")
      return scalar.select(scalar.lt(square, least), 0, a)
    end)
    f.slip, slip.constant = slip, given.vdot_0[c] - f.b
    f.inertia = scalar.divide(1, given.mobility[own])
    local sticks = scalar.lt(0, f.most)
    local most = effort and effort + f.most or none
    local function bound(x) return scalar.no_bound(x, none) end
    local function with(sign) return row(function(i) return i == s and sign or slip[i] end) end
    local bad = scalar.lt(f.most, 0)
    problem:add(row(function(i) return i == own and 1 or 0 end), -most, most, 0, 1)
    problem:add(with(-1), -none, bound(scalar.select(sticks, -slip.constant, none)), 0, 1)
    problem:add(with(1), bound(scalar.select(sticks, -slip.constant, -none)), none, 0, 1)
    problem:add(slip, bound(scalar.select(bad, 1, -none)), bound(scalar.select(bad, -1, none)), 0, 1)
  end
end

-- What friction adds to the objective's H and g.
function Friction.add_to_objective(state, list, slack, H, g)
  local weight = slight[state.single and "single" or "double"]
  for k, f in ipairs(list) do
    H[slack + k][slack + k] = weight * f.inertia
    g[slack + k] = scalar.max(f.most, 0)
  end
end

-- Puts out the friction at rest by joint, for the solver and for `apply`, and what this needs of the slips. driven: the
-- number of unknowns w.
function Friction.put(state, list, driven)
  if #list == 0 then return nil end
  local most, slip = {}, {}
  for k, f in ipairs(list) do
    most[k], slip[k] = f.most, f.slip.constant
  end
  for i = 1, driven do
    for _, f in ipairs(list) do slip[#slip + 1] = f.slip[i] end
  end
  state:put("stiction", most)
  state:put("slip", slip)
  return {count = #list, length = #slip, driven = driven}
end

-- In `apply`: friction by joint for the x that was found. info: of `put`; joints: of Friction.joints; at: {[joint] =
-- its unknown}.
function Friction.solved(state, info, joints, at, x)
  local function given(name, count)
    return state:input {name = "qp." .. name, shape = "list", linear = "1", angular = "1", doc = "", count = count}
  end
  local most, slip, n, forces = given("stiction", info.count), given("slip", info.length), info.count, {}
  ag.region("friction of joints: where they slip", "friction")
  for k, j in ipairs(joints) do
    local a, size = slip[k], scalar.abs(slip[k])
    for i = 1, info.driven do
      local term = slip[i * n + k] * x[i]
      a, size = a + term, size + scalar.abs(term)
    end
    local r = scalar.max(most[k], 0)
    local least = scalar.share(rounding[state.single and "single" or "double"], size, "rounding",
      "of what a slip is the sum of: less is rounding, and the joint sticks")
    local slides = scalar.select(scalar.lt(a, 0), r, -r)
    forces[j] = scalar.select(scalar.lt(least, scalar.abs(a)), slides, scalar.clamp(x[at[j]], r))
  end
  return forces
end

return Friction
