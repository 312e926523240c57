-- SPDX-License-Identifier: MIT
-- integrators.lua: how a step of a simulator (step.lua) gets from a state at a place with velocities v to those a
-- period h later. Each: f(state, place, v, h, turned): turned as of places.lua; returns place, velocities, a condition:
-- the base turns too far, the pivots D of M, and the loops that it has closed (closures.lua; nil: none).
--
--   semi_implicit      v+ = v + h (M + h D)^-1 f(q, v),   q+ = q (+) h v+
--   rk4                of order 4: Runge and Kutta's; how a floating base is turned by Munthe-Kaas
--   implicit_midpoint  v+ = v + h M^-1 f(q_m, v_m),   q+ = q (+) h v_m,   v_m = (v + v+) / 2,   q_m = q (+) h/2 v_m
--   momentum           semi_implicit, then the base's velocity corrected so that the momentum of all bodies is what
--                      gravity and wrenches make of it
-- f: all forces at vdot = 0. Source: Hairer, Lubich, Wanner, Geometric Numerical Integration, 2006, II.1, IV.8.

local scalar = require "scalar"
local spatial = require "spatial"
local motion = require "motion"
local formulations = require "formulations"
local Factor = require "factor"
local Places = require "places"
local Closures = require "closures"
local Gears = require "gears"

local Integrators = {}

-- Evaluations of the forces of an implicit step, from v_m = v on: each leaves a share of the error of the last one that
-- falls with h.
local midpoint_iterations = 5

-- v + h a
local function plus(v, h, a)
  local sum = {}
  for c = 1, #v do sum[c] = v[c] + h * a[c] end
  return sum
end
Integrators.plus = plus

local function times(h, v)
  local scaled = {}
  for c = 1, #v do scaled[c] = h * v[c] end
  return scaled
end

-- The robot in a state with viscous friction of a period h ahead in its inertia (h: 0: as it is).
function Integrators.form(state, h)
  local inertia = Gears.sum(1, state.armature, h, state.viscous)
  return formulations[state.variant.formulation].new(state.robot, state.inertias, inertia)
end

-- Accelerations by coordinate, along the axes of the world, of the forces that act on a state.
function Integrators.accelerations(state, form)
  local motions = motion.accelerations(state.robot, -state.gravity, nil, state.root)
  local tau = {}
  for j = 1, state.chain.nj do tau[j] = state.tau[j] - state:viscous_torque(j) end
  local vdot = form:accelerate(form:free(state:by_coordinate(tau), state:needed_wrenches(motions)))
  if state.base then table.move(state.base:outward(vdot), 1, state.chain.nb, 1, vdot) end
  return vdot
end

function Integrators.semi_implicit(state, place, v, h, turned)
  local form = Integrators.form(state, h)
  local v_next = plus(v, h, Integrators.accelerations(state, form))
  local loops = Closures.new(state, place, form)
  if loops then v_next = loops:allowed(loops:start(), state, v_next) end
  local to, far = Places.moved(state, place, times(h, v_next), turned or loops ~= nil)
  if loops then to, v_next = loops:closed(to, v_next) end
  return to, v_next, far, form.D, loops
end

-- The rate of the vector t by which the base is turned, R = exp(t) R_0, at the angular velocity w:
--   w - t x w / 2 + t x (t x w) / 12, which is enough for order 4
-- Of a ball R = R_0 exp(t), and w is along the axes that turn: w + t x w / 2 + the same.
local function rate_of_turn(chain, v, d)
  local r = table.move(v, 1, #v, 1, {})
  local function turn(first, half)
    local w = spatial.vector {v[first], v[first + 1], v[first + 2]}
    local t = spatial.vector {d[first], d[first + 1], d[first + 2]}
    local across = spatial.cross(t, w)
    local rate = w - half * across + scalar.divide(1, 12) * spatial.cross(t, across)
    table.move(rate, 1, 3, first, r)
  end
  if chain.nb == 6 then turn(4, 0.5) end
  for _, ball in ipairs(chain.balls) do turn(chain.nb + chain.joint_of[ball.body], -0.5) end
  return r
end

function Integrators.rk4(state, place, v, h, turned)
  local chain, pivots = state.chain, {}
  local d, speed, here, far = nil, v, state, false
  local sum_d, sum_a
  for k, stage in ipairs {{0.5, 1}, {0.5, 2}, {1, 2}, {0, 1}} do
    local form = Integrators.form(here, 0)
    local a = Integrators.accelerations(here, form)
    local rate = d and rate_of_turn(chain, speed, d) or speed
    table.move(form.D, 1, #form.D, #pivots + 1, pivots)
    sum_d = sum_d and plus(sum_d, stage[2], rate) or rate
    sum_a = sum_a and plus(sum_a, stage[2], a) or a
    if k < 4 then
      local part, to, beyond = stage[1] * h, nil, nil
      d, speed = times(part, rate), plus(v, part, a)
      to, beyond = Places.moved(state, place, d, true)
      here, far = Places.state(state, to, speed), scalar.lor(far, beyond)
    end
  end
  local sixth = scalar.divide(1, 6) * h
  local to, beyond = Places.moved(state, place, times(sixth, sum_d), turned)
  return to, plus(v, sixth, sum_a), scalar.lor(far, beyond), pivots
end

function Integrators.implicit_midpoint(state, place, v, h, turned)
  local middle, v_next, far, pivots, half = v, nil, false, {}, 0.5 * h
  for _ = 1, midpoint_iterations do
    local to, beyond = Places.moved(state, place, times(half, middle), true)
    local there = Places.state(state, to, middle)
    local form = Integrators.form(there, 0)
    v_next = plus(v, h, Integrators.accelerations(there, form))
    middle, far = times(0.5, plus(v, 1, v_next)), scalar.lor(far, beyond)
    table.move(form.D, 1, #form.D, #pivots + 1, pivots)
  end
  local to, beyond = Places.moved(state, place, times(h, middle), turned)
  return to, v_next, scalar.lor(far, beyond), pivots
end

-- Six numbers of a base's coordinates, linear and angular: {f, n}; and back.
local function wrench_of(nb, x)
  if nb == 3 then return {f = spatial.vector {x[1], x[2], 0}, n = spatial.vector {0, 0, x[3]}} end
  return {f = spatial.vector {x[1], x[2], x[3]}, n = spatial.vector {x[4], x[5], x[6]}}
end

-- Of all bodies: their inertia as the freedoms of the base feel it, lower triangle, along its axes; their mass, the
-- centre of mass from the origin of the base and the momentum about that origin, along the axes of the world.
local function whole_of(state, v)
  local base, nb = state.base, state.chain.nb
  local mass, whole = formulations.joint.mass_matrix(state.robot, state.inertias)
  local inner = base:inward(v)
  for c = nb + 1, #v do inner[c] = v[c] end
  local p, block = {}, {}
  for i = 1, nb do
    block[i] = mass[i]
    p[i] = 0
    for j = 1, #v do p[i] = p[i] + (j <= i and mass[i][j] or mass[j][i]) * inner[j] end
  end
  local h = base.R * whole.h
  if nb == 3 then h = spatial.vector {h[1], h[2], 0} end
  return {block = block, m = whole.m, h = h, com = scalar.divide(1, whole.m) * h, p = wrench_of(nb, base:outward(p))}
end

-- What gravity and wrenches from outside add to the momentum in a unit of time, about the centre of mass.
local function force_on(state, whole)
  local _, total = motion.joint_forces(state.robot, state:given_wrenches("physical"), "momentum: wrenches, ")
  local on = total[0] or motion.no_wrench
  local f = state.base.R * on.f
  return {f = f + whole.m * state.gravity, n = state.base.R * on.n - spatial.cross(whole.com, f)}
end

-- With p and L the momentum and the moment of momentum about the centre of mass that the bodies are to have, the base's
-- velocity changes by B^-1 (what is missing), B their inertia, all joints rigid, about the base's origin.
function Integrators.momentum(state, place, v, h)
  local to, v_next, far, D = Integrators.semi_implicit(state, place, v, h, true)
  local nb = state.chain.nb
  ag.region("momentum of all bodies", "momentum")
  local before = whole_of(state, v)
  local on = force_on(state, before)
  local p = before.p.f + h * on.f
  local L = before.p.n - spatial.cross(before.com, before.p.f) + h * on.n
  local there = Places.state(state, to, v_next)
  local after = whole_of(there, v_next)
  local n = L + spatial.cross(after.com, p)
  local missing = there.base:inward(motion.along_base(nb, {f = p - after.p.f, n = n - after.p.n}))
  local factor = Factor.new(after.block, state.chain.coordinates)
  local change = there.base:outward(factor:forward(factor:back(missing)))
  for c = 1, nb do v_next[c] = v_next[c] + change[c] end
  return to, v_next, far, D
end

return Integrators
