-- SPDX-License-Identifier: MIT
-- christoffel.lua: the Coriolis matrix of Christoffel's symbols, by one inward sweep of composite bodies.
--
-- Particles of mass m move with the velocities r-dot = sum_j J_j qd_j, and
--     C_ij = sum m J_i . J-dot_j
-- With I and B of all bodies outward of the outer joint, S_j the unit motion of a joint, P_j = v x S_j its derivative:
--     C_ij = F_i . P_j + g_i . S_j,   C_ji = S_j . D_i     (j inward of i)
--     F_i = I S_i,   D_i = B S_i + I P_i,   g_i = B^T S_i, a couple
-- B is linear in the velocities: of what the bodies do as body i sees them, and of the twist {w, v} of body i, with
-- which all of them are one rigid body, of mass m, first moment h and second moments Sigma. Of the latter a joint about
-- z has
--     D = {f = w x (z x h), n = -z x (Sigma w)},   g = int (w x r + v) . r z - ((w x r + v) . z) r dm
-- The former needs the rates of h (f) and of Sigma (T), and the angular momentum n, as seen from body i: twelve numbers
-- that pass inward like an inertia without mass, each body's own being zero.
-- Source: Echeandia, Wensing, Numerical methods to compute the Coriolis matrix and Christoffel symbols for rigid-body
-- systems, Journal of Computational and Nonlinear Dynamics 16 (2021).

local spatial = require "spatial"
local motion = require "motion"
local Joint = require "joint"
local Derivatives = require "derivatives"

local composite, bias, cross_z = Joint.composite, Derivatives.bias, spatial.cross_z

local Christoffel = {}

local at_rest = {f = spatial.zero, n = spatial.zero, T = {0, 0, 0, 0, 0, 0}}

-- Half the rates of everything from joint b outward, as its parent sees them, in the axes of body b: its own motion
-- added. F: its I S.
local function with_joint(b, c, F, rates)
  local half, S, T = 0.5 * b.qd, c.Sigma, rates.T
  local xy, both
  if b.prismatic then
    local h = c.h
    both = {T[1], T[2], T[3] + half * h[1], T[4], T[5] + half * h[2], T[6] + b.qd * h[3]}
  else
    xy = b.qd * S[2]
    both = {T[1] - xy, T[2] + half * (S[1] - S[4]), T[3] - half * S[5], T[4] + xy, T[5] + half * S[3], T[6]}
  end
  return {f = rates.f + half * F.f, n = rates.n + half * F.n, T = both}
end

-- F, D and g of the joint of body b, {f, n} and n. rates: half of them.
local function of_joint(b, c, rates, t)
  local F, w, v, m, h, S = composite.momentum(b, c), t.w, t.v, c.m, c.h, c.Sigma
  local f, n, T = rates.f, rates.n, rates.T
  if b.prismatic then
    local p = cross_z(w)
    local momentum = 2 * f + m * v + spatial.cross(w, h)
    return F, {f = m * p, n = spatial.cross(h, p)}, cross_z(momentum)
  end
  local Sw = spatial.symmetric_mul(S, w)
  local trace = T[1] + T[4]
  local D = {
    f = spatial.vector {-2 * f[2] - w[3] * h[1], 2 * f[1] - w[3] * h[2], w[1] * h[1] + w[2] * h[2]},
    n = spatial.vector {Sw[2] - (T[3] + n[2]), (n[1] - T[5]) - Sw[1], trace},
  }
  local g = spatial.vector {
    (n[2] - T[3]) + (w[2] * S[1] - w[1] * S[2] - h[1] * v[3]),
    (w[2] * S[2] - w[1] * S[4] - h[2] * v[3]) - (n[1] + T[5]),
    trace + (w[2] * S[3] - w[1] * S[5] + (h[1] * v[1] + h[2] * v[2])),
  }
  return F, D, g
end

-- The block of the base: B of everything with its angular velocity w about its origin.
local function of_base(nb, c, rates, w)
  local whole, block = bias.add(rates, bias.of(c, {w = 0.5 * w, v = spatial.zero})), {}
  for i = 1, nb do block[i] = {} end
  for k, s in ipairs(motion.base_freedoms(nb)) do
    for i, x in ipairs(motion.along_base(nb, bias.times(whole, s.w))) do block[i][k] = x end
  end
  return block
end

-- C over the coordinates, as rows. Of a moving base along its own axes, as components of motions along axes that do
-- not turn with it.
function Christoffel.matrix(robot, inertias)
  local chain, nb, twists, C, bodies, rates = robot.chain, robot.nb, Derivatives.twists(robot), {}, {}, {}
  for i = 1, nb + chain.nj do
    C[i] = {}
    for j = 1, nb + chain.nj do C[i][j] = 0 end
  end
  for i = robot.base and 0 or 1, robot.n do bodies[i], rates[i] = composite.of(inertias[i]), at_rest end
  local function put(i, j, x)
    local a, b = nb + chain.joint_of[i], nb + chain.joint_of[j]
    C[a][b] = C[a][b] + chain.ratio[i] * chain.ratio[j] * x
  end
  for i = robot.n, 1, -1 do
    local b = robot.bodies[i]
    ag.region("inward: Coriolis matrix, " .. b.link.name .. " -> " .. b.link.joint.name, b.link.id)
    local F, D, g = of_joint(b, bodies[i], rates[i], twists[i])
    if b.ball then -- its axis turns with the child
      local turning = spatial.cross_z(motion.ball_rest(robot, i))
      D = motion.add_wrench(D, Derivatives.inertia_times(bodies[i], {w = turning, v = spatial.zero}))
    end
    put(i, i, motion.along_joint(b, D))
    local moving = with_joint(b, bodies[i], F, rates[i])
    local at, j = b, b.parent
    while j > 0 or (j == 0 and robot.base) do
      F, D, g = motion.wrench_to_parent(at, F), motion.wrench_to_parent(at, D), motion.to_parent(at, g)
      if j == 0 then break end
      at = robot.bodies[j]
      put(j, i, motion.along_joint(at, D))
      put(i, j, motion.along_moving_joint(robot, j, twists[j], F) + (at.prismatic and 0 or g[3]))
      j = at.parent
    end
    if robot.base then
      local c, ratio = nb + chain.joint_of[i], chain.ratio[i]
      for k, x in ipairs(motion.along_base(nb, D)) do C[k][c] = C[k][c] + ratio * x end
      for k, x in ipairs(motion.along_base(nb, {f = spatial.zero, n = g})) do C[c][k] = C[c][k] + ratio * x end
    end
    if bodies[b.parent] then
      bodies[b.parent] = composite.add(bodies[b.parent], composite.to_parent(b, bodies[i]))
      rates[b.parent] = bias.add(rates[b.parent], bias.to_parent(b, moving))
    end
  end
  if robot.base then
    ag.region("Coriolis matrix: the base", "base")
    for i, row in ipairs(of_base(nb, bodies[0], rates[0], twists[0].w)) do table.move(row, 1, nb, 1, C[i]) end
  end
  return C
end

return Christoffel
