-- SPDX-License-Identifier: MIT
-- did.lua: inverse and forward dynamics with their derivatives.
--
-- Forward dynamics by implicit differentiation: with the accelerations vdot that hold tau = ID(q, qd, vdot),
--     dvdot = M^-1 (dtau - dID at constant vdot)

local scalar = require "scalar"
local spatial = require "spatial"
local motion = require "motion"
local Joint = require "joint"
local Derivatives = require "derivatives"
local State = require "state"
local Matrices = require "matrices"
local Family = require "family"

local D = {}

-- Only given wrenches are told along axes of the world, and moved there: without them one variant is all.
local function variants(method)
  return function(context)
    local list = {{formulation = method, way = "base", axes = "matrix"}}
    if #context.layout.wrenches > 0 then list[2] = {formulation = method, way = "wrench", axes = "chain"} end
    return list
  end
end

local function joints_of(state, by_coordinate)
  local nb = state.chain.nb
  return table.move(by_coordinate, nb + 1, nb + state.chain.nj, 1, {})
end

-- Derivatives by q and qd of the forces that a motion takes less the given wrenches; only: of_forces.
local function of_motion(state, motions, only)
  local robot = state.robot
  return Derivatives.of_forces(robot, {
    inertias = state.inertias, motions = motions, twists = Derivatives.twists(robot),
    wrenches = state:needed_wrenches(motions), held = Matrices.held(state, "physical"),
  }, only)
end

-- The accelerations of forward dynamics, by the forces that the motion takes without them.
local function fixed(state, form)
  local upward = -state.gravity
  local at_rest = motion.accelerations(state.robot, upward, nil, state.root)
  return {vdot = form:accelerate(form:free(state:by_coordinate(state.tau), state:needed_wrenches(at_rest))),
    upward = upward}
end

-- The same on a floating base, where derivatives by qd are asked for. It falls freely: gravity g adds to its
-- acceleration and changes nothing else, so vdot is told without it. What velocities v take is of second degree in
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
  for i, tau in ipairs(state:by_coordinate(state.tau)) do x[i] = tau + given[i] - 0.5 * scalar.dot(qd[i], v) end
  return {vdot = form:accelerate(form.factor:back(x)), upward = spatial.zero, qd = qd, gravity = state.gravity}
end

-- Of forward dynamics on a floating base, the columns of change.q by a turn e of it about the axes of the world, from
-- those by qd. Turned with all that is given, a robot has its accelerations turned with it; then what is given turns
-- back: gravity, which no more than adds to the base's acceleration a, the angular velocity w, and of the wrenches f
-- and n:
--     dvdot = {e x a, e x alpha}  of the base  +  dvdot/dw (w x e) + dvdot/df (f x e) + dvdot/dn (n x e)
local function turn_base(state, solve, vdot, change)
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

D.did = {
  frameless = true,
  doc = "Inverse dynamics and its derivatives: the joint torques of joint accelerations qdd under gravity and " ..
    "physical wrenches, what they change by per q and qd, and M, what they change by per qdd.",
  variants = variants "RNEA",
  program = function(context, variant)
    local state = State.new(context, variant,
      {qd = true, qdd = true, base_acc = true, gravity = true, armature = true, wrenches = "physical", inertia = true,
        root = true})
    local asked = Matrices.asked(state, {"tau"})
    local motions = motion.accelerations(state.robot, -state.gravity, state:given_vdot(), state.root)
    local tau = motion.joint_forces(state.robot, state:needed_wrenches(motions))
    local nb = state.chain.nb
    for i = 1, state.chain.nj do tau[nb + i] = tau[nb + i] + state.armature[i] * state.qdd[i] end
    Family.put_torques(state, tau, "tau")
    if asked("tau", "q") or asked("tau", "qd") then
      local by = of_motion(state, motions)
      for _, x in ipairs {"q", "qd"} do
        if asked("tau", x) then state:put_derivative("tau", x, Matrices.outward(state, by[x], true, true)) end
      end
    end
    for _, w in ipairs(state.wrenches) do
      if asked("tau", w.name) then
        local columns = Matrices.scale(-1, Matrices.wrench_columns(state, w))
        state:put_derivative("tau", w.name, Matrices.outward(state, columns, true, false), true)
      end
    end
    if asked("M") then Family.put_inertia(state) end
    state:finish()
  end,
}

D.dfd = {
  frameless = true, races = true,
  doc = "Forward dynamics and its derivatives: the joint accelerations of joint torques tau, gravity and physical " ..
    "wrenches, without constraint, and what they change by per q, qd, tau and wrench.",
  variants = variants "joint",
  program = function(context, variant)
    local state = State.new(context, variant,
      {qd = true, one_tau = true, gravity = true, armature = true, wrenches = "physical", inertia = true, root = true})
    local robot, asked = state.robot, Matrices.asked(state, {"qdd"})
    local form = Joint.new(robot, state.inertias, state.armature)
    local free = (state.chain.nb == 6 and asked("qdd", "qd") and floating or fixed)(state, form)
    local vdot = free.vdot
    state:put("qdd of forward dynamics", joints_of(state, vdot))
    if state.base then state:put_on_base("base.acc", vdot, nil, free.gravity) end
    ag.region("inverse of the joint-space inertia", "inverse")
    local inverse, solve = Matrices.inverse(robot, form.factor)
    if asked("qdd", "q") or asked("qdd", "qd") then
      local by = of_motion(state, motion.accelerations(robot, free.upward, vdot, state.root), free.qd and "joints")
      by.qd = free.qd or by.qd
      if Matrices.stops(context.run, asked, state, vdot, by) then return end
      local change = {}
      for _, x in ipairs {"q", "qd"} do
        if asked("qdd", x) then change[x] = Matrices.outward(state, solve(by[x], -1), true, true) end
        if change[x] and not free.qd then state:put_derivative("qdd", x, change[x]) end
      end
      if free.qd then
        if change.q then turn_base(state, solve, vdot, change) end
        for _, x in ipairs {"q", "qd"} do
          if change[x] then state:put_derivative("qdd", x, change[x]) end
        end
      end
    end
    if asked("qdd", "tau") then
      state:put_derivative("qdd", "tau", Matrices.outward(state, Matrices.of_joints(state, inverse), true, false))
    end
    for _, w in ipairs(state.wrenches) do
      if asked("qdd", w.name) then
        local columns = solve(Matrices.wrench_columns(state, w), 1)
        state:put_derivative("qdd", w.name, Matrices.outward(state, columns, true, false), true)
      end
    end
    state:check_positive(form.D)
    state:finish()
  end,
}

return D
