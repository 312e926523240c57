-- SPDX-License-Identifier: MIT
-- coriolis.lua: the Coriolis matrix C(q, v) of Christoffel's symbols, its products, and Slotine and Li's law, which is
-- made of it:
--   C v = bias,   dM/dt = C + C^T,   dp/dt = tau + C^T v - g with p = M v
--   tau = M a_r + C v_r + g + F(v_r), F the friction of the joints, where the layout has it
-- Of particles with velocities r-dot = J v, C = sum m J^T J-dot: so C v_r + M a_r are the forces that the rates of the
-- velocities J v_r take. A body turns with w, and with w_r by v_r; alpha_r is the rate of w_r, and a_r that of the
-- velocity of the body's origin by v_r:
--   d/dt of the velocity by v_r at r = a_r + U_r r,   U_r = [alpha_r]x + w w_r^T - (w . w_r) 1
--   outward: alpha_r += (w_p x z) qd_r + z qdd_r,   a_r = a_rp + U_rp p
-- Sources: Slotine, Li, On the adaptive control of robot manipulators, The International Journal of Robotics Research 6
-- (1987); Niemeyer, Slotine, Performance in adaptive manipulator control, ibid. 10 (1991).

local scalar = require "scalar"
local spatial = require "spatial"
local motion = require "motion"
local Christoffel = require "christoffel"
local Matrices = require "matrices"
local State = require "state"
local Family = require "family"
local Momentum = require "momentum"
local Gears = require "gears"

local D = {}

-- What the layout's outputs ask for of C, Cv and Ctv; C where it names none of them.
local function asked(state)
  local words = state.layout.derivatives or {}
  local any = words.C or words.Cv or words.Ctv
  return function(word) return words[word] or not any and word == "C" end
end

D.coriolis = {
  frameless = true,
  doc = "Coriolis matrix C of Christoffel's symbols: C qd are the torques of bias, and dM/dt = C + C^T.",
  variants = function() return {{formulation = "composite", way = "base", axes = "matrix"}} end,
  program = function(context, variant)
    local state = State.new(context, variant, {qd = true, inertia = true})
    local wanted = asked(state)
    if wanted "C" then
      local C = Christoffel.matrix(state.robot, state.inertias)
      state:put_matrix("C", Matrices.outward(state, C, true, true))
    end
    if wanted "Cv" then
      local motions = motion.accelerations(state.robot, spatial.zero)
      Family.put_torques(state, motion.joint_forces(state.robot, state:needed_wrenches(motions)), "Cv", "base.Cv")
    end
    if wanted "Ctv" then Family.put_torques(state, Momentum.change(state), "Ctv", "base.Ctv") end
    state:finish()
  end,
}

-- How body i moves, {w, wr, wd, a, U}, wd the rate of wr, from its parent's; rate: qd_r and qdd_r of its joint.
local function outward_step(robot, i, from, qd_r, qdd_r)
  local b = robot.bodies[i]
  motion.outward_region(b, "reference velocity and its rate")
  local w, wr, wd = motion.to_body(b, from.w), motion.to_body(b, from.wr), motion.to_body(b, from.wd)
  local a = motion.to_body(b, from.a + from.U * b.p)
  if b.prismatic then
    -- a_r = E (a_rp + U_rp p) + U_r z q + (w_r x z) qd + (w x z) qd_r + z qdd_r
    local m = {w = w, wr = wr, wd = wd, U = motion.acceleration_tensor(w, wd, wr)}
    m.a = a + b.q * spatial.column(m.U, 3)
    m.a = m.a + {wr[2] * b.qd + w[2] * qd_r, -(wr[1] * b.qd + w[1] * qd_r), qdd_r}
    return m
  end
  local turning = b.ball and w + motion.ball_rest(robot, i) or w -- the axis of a ball turns with the child
  local m = {w = w + {0, 0, b.qd}, wr = wr + {0, 0, qd_r}, a = a}
  m.wd = wd + {turning[2] * qd_r, -(turning[1] * qd_r), qdd_r}
  m.U = motion.acceleration_tensor(m.w, m.wd, m.wr)
  return m
end

-- The rates of every body's reference velocities. upward: -g, as in motion.accelerations; of a base that is given an
-- acceleration this.
local function reference_motions(state, upward, v_r, vdot_r)
  local robot, base, nb = state.robot, state.robot.base, state.chain.nb
  local qd_r, qdd_r = motion.per_body(robot.chain, v_r, nb), motion.per_body(robot.chain, vdot_r, nb)
  local rate = state.root or motion.base_motion(nb, vdot_r)
  local w, wr = base and base.w or spatial.zero, motion.base_motion(nb, v_r).w
  local a = base and spatial.mul_transposed(base.R, upward) or upward
  local motions = {[0] = {w = w, wr = wr, wd = rate.w, a = a + rate.v, U = motion.acceleration_tensor(w, rate.w, wr)}}
  for i, b in ipairs(robot.bodies) do
    local m = outward_step(robot, i, motions[b.parent], qd_r[i], qdd_r[i])
    motion.hint_vector(m.w, "w")
    motion.hint_vector(m.wr, "w_r")
    motion.hint_vector(m.wd, "wd_r")
    motion.hint_vector(m.a, "a_r")
    motion.hint_matrix(m.U, "U")
    motions[i] = m
  end
  return motions
end

-- Friction of the layout's joints, were they moving with the reference velocities: d v_r + f sat(v_r / v_0), v_0 the
-- speed below which dry friction sticks. It grows with v_r, so (v - v_r) (F(v) - F(v_r)) >= 0: the law stays passive.
-- Returns its torques by joint, and a condition: a coefficient is negative.
local function friction_of_reference(state)
  local f, F, bad = state.friction, scalar.zeros(state.chain.nj), false
  if not f then return nil, false end
  ag.region("friction of the reference velocities", "friction")
  for j = 1, state.chain.nj do
    local dry = f.coulomb[j] or 0
    for _, x in ipairs {dry, state.viscous_of_joints[j]} do bad = scalar.lor(bad, scalar.lt(x, 0)) end
    local share = scalar.is_zero(dry) and 0 or scalar.clamp(state.qd_r[j] / f.threshold, 1)
    F[j] = Gears.row_times(state.viscous, j, state.qd_r) + dry * share
  end
  for _, g in ipairs(state.layout.joint_groups) do
    for k, m in ipairs(g.motors or {}) do
      local along = state.layout.gears.G[m]
      local share = scalar.clamp(scalar.sum_of_products(along, state.qd_r) / g.thresholds[k], 1)
      for j, x in ipairs(along) do
        if not scalar.is_zero(x) then F[j] = F[j] + x * (state.layout.motors[m].coulomb * share) end
      end
    end
  end
  return F, bad
end

D.slotine_li = {
  frameless = true,
  doc = "Slotine and Li's law: the joint torques M qdd_r + C qd_r + g, and the layout's friction, for reference " ..
    "velocities and accelerations.",
  variants = function()
    return {
      {formulation = "RNEA", way = "base", axes = "matrix"}, {formulation = "RNEA", way = "wrench", axes = "chain"},
    }
  end,
  program = function(context, variant)
    local state = State.new(context, variant,
      {qd = true, gravity = true, armature = true, wrenches = "physical", inertia = true, reference = true,
        friction = true, root = true})
    local v_r, vdot_r = state:given_reference()
    local motions = reference_motions(state, -state.gravity, v_r, vdot_r)
    local tau = motion.joint_forces(state.robot, state:needed_wrenches(motions))
    local nb = state.chain.nb
    Gears.push(tau, nb, state.armature, vdot_r)
    local friction, bad = friction_of_reference(state)
    for i, x in ipairs(friction or {}) do tau[nb + i] = tau[nb + i] + x end
    if bad then -- no law with less than no friction
      for i, x in ipairs(tau) do tau[i] = scalar.select(bad, 0, x) end
      for i, x in ipairs(friction) do friction[i] = scalar.select(bad, 0, x) end
    end
    Family.put_torques(state, tau, "tau")
    if friction then
      local against = {}
      for i, x in ipairs(friction) do against[i] = -x end
      state:output("tau_friction", against)
    end
    state:finish(bad)
  end,
}

return D
