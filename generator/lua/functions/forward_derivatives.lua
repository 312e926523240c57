-- SPDX-License-Identifier: MIT
-- forward_derivatives.lua: the accelerations of forward dynamics and what they change by, for dfd and dstep. With the
-- accelerations vdot that hold tau = ID(q, qd, vdot),
--     dvdot = M^-1 (dtau - dID at constant vdot)

local scalar = require "scalar"
local spatial = require "spatial"
local motion = require "motion"
local Derivatives = require "derivatives"
local LoopDerivatives = require "loop_derivatives"
local Matrices = require "matrices"

local Forward = {}

-- Joint torques less viscous friction, where the function has it.
local function torques(state)
  local tau = {}
  for j = 1, state.chain.nj do tau[j] = state.tau[j] - state:viscous_torque(j) end
  return tau
end

-- Derivatives by q and qd of the forces that a motion takes less the given wrenches; only: of_forces.
function Forward.of_motion(state, motions, only)
  local robot = state.robot
  if state.loops then return LoopDerivatives.of_motion(state, motions, Matrices.held(state, "physical")) end
  return Derivatives.of_forces(robot, {
    inertias = state.inertias, motions = motions, twists = Derivatives.twists(robot),
    wrenches = state:needed_wrenches(motions), held = Matrices.held(state, "physical"),
  }, only)
end

-- The accelerations of forward dynamics, by the forces that the motion takes without them.
local function fixed(state, form)
  local upward = -state.gravity
  local at_rest = motion.accelerations(state.robot, upward, nil, state.root)
  return {vdot = form:accelerate(form:free(state:by_coordinate(torques(state)), state:needed_wrenches(at_rest))),
    upward = upward}
end

-- The same on a floating base, where derivatives by qd are requested. It falls freely: gravity g adds to its
-- acceleration and changes nothing else, so vdot is given without it. What velocities v take is of second degree in
-- them, 1/2 (dID/dv) v.
local function floating(state, form)
  local robot, nb = state.robot, state.chain.nb
  local qd = Derivatives.of_forces(robot, {
    inertias = state.inertias, twists = Derivatives.twists(robot), wrenches = {}, held = {},
  }, "qd").qd
  local given = motion.joint_forces(robot, state:given_wrenches("physical"))
  local v, x = motion.along_base(nb, {f = spatial.zero, n = robot.base.w}), {}
  for j = 1, state.chain.nj do v[nb + j] = state.qd[j] end
  ag.region("forces: tau less those of the velocities", "forces")
  for i, tau in ipairs(state:by_coordinate(torques(state))) do x[i] = tau + given[i] - 0.5 * scalar.dot(qd[i], v) end
  return {vdot = form:accelerate(form.factor:back(x)), upward = spatial.zero, qd = qd, gravity = state.gravity}
end

-- Of forward dynamics on a floating base, the columns of change.q by a turn e of it about the axes of the world, from
-- those by qd. Turned with all that is given, a robot has its accelerations turned with it; then what is given turns
-- back: gravity, which no more than adds to the base's acceleration a, the angular velocity w, and of the wrenches f
-- and n:
--     dvdot = {e x a, e x alpha}  of the base  +  dvdot/dw (w x e) + dvdot/df (f x e) + dvdot/dn (n x e)
function Forward.turn_base(state, solve, vdot, change)
  local nb, n = state.chain.nb, #vdot
  local at, w = motion.base_motion(nb, state.base:outward(vdot)), motion.base_motion(nb, state.base.twist).w
  ag.region("derivatives by a turn of the base", "turn")
  for c, s in ipairs(motion.base_freedoms(nb)) do
    local turned, column = {}, Matrices.zero(n, 1)
    if spatial.is_zero(s.w) then goto continue end
    for _, given in ipairs(state.wrenches) do
      local f, m = spatial.cross(given.f, s.w), spatial.cross(given.n, s.w)
      motion.put_wrench(turned, given.frame.body, state:wrench_on_body({frame = given.frame, f = f, n = m}))
    end
    if next(turned) then
      local forces = motion.joint_forces(state.robot, turned)
      column = Matrices.outward(state, solve(Matrices.transpose {forces}, 1), true, false)
    end
    local own = motion.along_base(nb, {f = spatial.cross(s.w, at.v), n = spatial.cross(s.w, at.w)})
    local spin = spatial.cross(w, s.w)
    for i = 1, n do
      change.q[i][c] = (own[i] or 0) + column[i][1] +
        spatial.dot({change.qd[i][4], change.qd[i][5], change.qd[i][6]}, spin)
    end
    ::continue::
  end
end

-- {vdot, upward, and of a floating base whose derivatives by qd are wanted qd, gravity}: `fixed` and `floating`, which
-- knows no linkages.
function Forward.free(state, form, by_qd)
  return (state.chain.nb == 6 and by_qd and not state.loops and floating or fixed)(state, form)
end

-- The motion with them.
function Forward.motions(state, free)
  return motion.accelerations(state.robot, free.upward, free.vdot, state.root)
end

return Forward
