-- SPDX-License-Identifier: MIT
-- momentum.lua: the momentum p = M v of the coordinates, and what changes it beside torques and forces from outside:
--   dp/dt = tau + beta + tau_ext,   beta = C^T v - g
-- with C of Christoffel's symbols (M-dot = C + C^T, C v + g what `id` needs at vdot = 0). Neither C nor M is made. With
-- H_j
-- = {f, n} the momentum of body j and all that it carries, about its origin, and v_j = {w, v} its twist,
--   p_j = S_j . H_j,   (C^T v)_j = (v_j x S_j) . H_j
-- as the momenta of single bodies drop out: (I v) . (v x v) = 0. Of a joint about z: v_j x S_j = {w x z, v x z}; of one
-- along z:
-- {0, w x z}. A moving base's coordinates are along axes that do not turn, through its origin, which moves by v_0:
--   d/dt of the moment of momentum about it = the moments about it + P x v_0,   P the momentum of all bodies.
-- What a momentum observer integrates: De Luca, Mattone, Actuator failure detection and isolation using generalized
-- momenta, IEEE International Conference on Robotics and Automation, 2003.

local spatial = require "spatial"
local motion = require "motion"
local State = require "state"
local Gears = require "gears"

-- Weights of the bodies, about their origins, less what a base that is given an acceleration carries them with.
local function weights(state)
  local list, rates = {}, motion.carried_by_root(state.robot, state.root)
  for i = state.base and 0 or 1, state.chain.n do
    list[i] = motion.weight(state.inertias[i], state:to_body(i, state.gravity))
    if rates[i] then list[i] = motion.sub_wrench(list[i], motion.momentum(state.inertias[i], rates[i])) end
  end
  return list
end

-- C^T v by coordinate, the momenta of joints and base, and by body the momentum of it and all that it carries.
local function changes(state)
  local robot, chain, twists = state.robot, state.chain, state:twists()
  local nb, momenta = chain.nb, {}
  for i = state.base and 0 or 1, chain.n do
    local link = i > 0 and robot.bodies[i].link
    ag.region("momentum of " .. (link and link.name or state.base_name), link and link.id or "base")
    momenta[i] = motion.momentum(state.inertias[i], twists[i])
  end
  local p, H = motion.joint_forces(robot, momenta, "inward: momenta, ")
  local moved = {}
  for i = 1, robot.n do moved[i] = motion.along_moving_joint(robot, i, twists[i], H[i]) end
  local turned = state.base and spatial.cross(H[0].f, twists[0].v) or spatial.zero
  local change = motion.along_base(nb, {f = spatial.zero, n = turned})
  for j, x in ipairs(motion.per_joint(chain, moved)) do change[nb + j] = x end
  return change, p
end

local function program(context, variant)
  local state = State.new(context, variant, {qd = true, gravity = true, armature = true, inertia = true, root = true})
  local nb, n = state.chain.nb, state.chain.nj
  local change, p = changes(state)
  local beta = motion.joint_forces(state.robot, weights(state), "inward: weights, ")
  for c, x in ipairs(change) do beta[c] = beta[c] + x end
  for j, x in ipairs(Gears.times(state.armature, state.qd)) do p[nb + j] = p[nb + j] + x end
  if state.base then
    state:put_on_base("base.p", p)
    state:put_on_base("base.beta", beta)
  end
  state:put("p", table.move(p, nb + 1, nb + n, 1, {}))
  state:put("beta", table.move(beta, nb + 1, nb + n, 1, {}))
  state:finish()
end

return {
  change = changes,
  momentum = {
    frameless = true,
    doc = "Momentum p = M qd, and beta = C^T qd - g, with which dp/dt = tau + beta + torques from outside.",
    variants = function()
      return {
        {formulation = "recursion", way = "base", axes = "matrix"},
        {formulation = "recursion", way = "wrench", axes = "chain"},
      }
    end,
    program = program,
  },
}
