-- family.lua: the rest of the family: kinematics, inverse and forward dynamics, each free of what it
-- does not need. Every function is {doc, frameless, variants, program}, as achd.lua's (main.lua).

local S = require "scalar"
local M = require "spatial"
local K = require "motion"
local R = require "rows"
local State = require "state"
local formulations = {recursion = require "recursion", joint = require "joint"}

local Family = {}

-- Functions that have one formulation are counted along the two ways to turn vectors.
local function direct(method)
  return function()
    return {
      {formulation = method, way = "base", axes = "matrix"},
      {formulation = method, way = "wrench", axes = "chain"},
    }
  end
end

-- Wrenches {[body] = {f, n}} that bodies need at a motion, less the physical ones that are given.
local function needed_wrenches(state, motion)
  local wrenches = {}
  for i = 1, state.chain.n do
    ag.region("outward: forces of " .. state.robot.bodies[i].link.name)
    wrenches[i] = K.inertial_wrench(state.inertias[i], motion[i])
  end
  for _, w in ipairs(state.wrenches) do
    local at = w.frame.body
    if w.kind == "physical" and at > 0 then
      ag.region("wrench: " .. w.name)
      local given = state:wrench_on_body(w)
      wrenches[at] = {f = M.sub(wrenches[at].f, given.f), n = M.sub(wrenches[at].n, given.n)}
    end
  end
  return wrenches
end

local function tau_output(state, tau, doc) state:put("tau", "joints", "N", "N m", doc, tau) end

Family.fk = {
  frameless = false,
  doc = "Forward kinematics: poses of the named frames.",
  variants = direct "matrix",
  program = function(context, variant)
    local state = State.new(context, variant, {})
    for _, f in ipairs(context.layout.family.pose) do state:output_pose(f) end
    state:finish()
  end,
}

Family.fvk = {
  frameless = false,
  doc = "Forward velocity kinematics: twists of the named frames.",
  variants = direct "chain",
  program = function(context, variant)
    local state = State.new(context, variant, {qd = true})
    for _, f in ipairs(context.layout.family.twist) do state:output_twist(f) end
    state:finish()
  end,
}

local no_gravity = {0, 0, 0}

Family.fak = {
  frameless = false,
  doc = "Forward acceleration kinematics: accelerations of the named frames, from joint accelerations.",
  variants = direct "chain",
  program = function(context, variant)
    local state = State.new(context, variant, {qd = true, qdd = true})
    state.gravity = no_gravity
    local motion = K.accelerations(state.robot, no_gravity, state.qdd)
    local family = context.layout.family
    for _, f in ipairs(family.acc) do
      ag.region("output: acceleration of " .. f.name)
      state:output_acceleration(f, motion, family.acceleration, "acc.")
    end
    state:finish()
  end,
}

Family.jdqd = {
  frameless = false,
  doc = "J-dot q-dot: accelerations of the named frames at joint accelerations of zero.",
  variants = direct "chain",
  program = function(context, variant)
    local state = State.new(context, variant, {qd = true})
    state.gravity = no_gravity
    local motion = K.accelerations(state.robot, no_gravity)
    local family = context.layout.family
    for _, f in ipairs(family.jac) do
      ag.region("output: J-dot q-dot of " .. f.name)
      state:output_acceleration(f, motion, family.acceleration, "jdqd.")
    end
    state:finish()
  end,
}

Family.jac = {
  frameless = false,
  doc = "Jacobians of the named frames: twist at the frame's origin, axes of the base, per joint velocity.",
  variants = direct "matrix",
  program = function(context, variant)
    local state = State.new(context, variant, {})
    local poses = state:body_poses()
    for _, f in ipairs(context.layout.family.jac) do
      ag.region("output: Jacobian of " .. f.name)
      local body = poses[f.frame.body]
      local tip = M.add(body.p, M.mul(body.R, f.frame.p))
      local columns = {}
      for j = 1, state.chain.nj do columns[j] = {0, 0, 0, 0, 0, 0} end
      local i = f.frame.body
      while i > 0 do
        local axis = M.column(poses[i].R, 3)
        local lin, ang = axis, M.zero
        if not state.robot.bodies[i].prismatic then
          lin, ang = M.cross(axis, M.sub(tip, poses[i].p)), axis
        end
        local joint, ratio = state.chain.joint_of[i], state.chain.ratio[i]
        for k = 1, 3 do
          columns[joint][k] = columns[joint][k] + ratio * lin[k]
          columns[joint][k + 3] = columns[joint][k + 3] + ratio * ang[k]
        end
        i = state.robot.bodies[i].parent
      end
      local values = {}
      for part = 1, 6 do
        for j = 1, state.chain.nj do values[#values + 1] = columns[j][part] end
      end
      state:put("jac." .. f.id, "jacobian", "1", "1", "Jacobian of " .. f.name .. ", at its origin, axes of the base", values)
    end
    state:finish()
  end,
}

Family.id = {
  frameless = true,
  doc = "Inverse dynamics (RNEA): the joint torques that give joint accelerations qdd under gravity and physical wrenches.",
  variants = direct "RNEA",
  program = function(context, variant)
    local state = State.new(context, variant,
      {qd = true, qdd = true, gravity = true, armature = true, wrenches = "physical", inertia = true})
    local motion = K.accelerations(state.robot, M.neg(state.gravity), state.qdd)
    local tau = K.joint_forces(state.robot, needed_wrenches(state, motion))
    for i = 1, state.chain.nj do tau[i] = tau[i] + state.armature[i] * state.qdd[i] end
    tau_output(state, tau, "joint torque")
    state:finish()
  end,
}

-- Robot at rest in its joints' eyes: no velocities.
local function at_rest(state)
  local robot = state.robot
  for i = 1, robot.n do robot.bodies[i].qd = 0 end
  return robot
end

Family.gravity = {
  frameless = true,
  doc = "Gravity torques: what the joints must give to hold the robot still.",
  variants = direct "RNEA",
  program = function(context, variant)
    local state = State.new(context, variant, {gravity = true, inertia = true})
    local motion = K.accelerations(at_rest(state), M.neg(state.gravity))
    tau_output(state, K.joint_forces(state.robot, needed_wrenches(state, motion)), "joint torque that holds against gravity")
    state:finish()
  end,
}

Family.bias = {
  frameless = true,
  doc = "Coriolis and centrifugal torques, no gravity: C(q, qd) qd.",
  variants = direct "RNEA",
  program = function(context, variant)
    local state = State.new(context, variant, {qd = true, inertia = true})
    local motion = K.accelerations(state.robot, no_gravity)
    tau_output(state, K.joint_forces(state.robot, needed_wrenches(state, motion)), "joint torque of Coriolis and centrifugal forces")
    state:finish()
  end,
}

Family.fd = {
  frameless = true,
  doc = "Forward dynamics: the joint accelerations of joint torques tau, gravity and physical wrenches; no constraint.",
  program = function(context, variant)
    local state = State.new(context, variant,
      {qd = true, one_tau = true, gravity = true, armature = true, wrenches = "physical", inertia = true})
    local form = formulations[variant.formulation].new(state.robot, state.inertias, state.armature)
    local motion = K.accelerations(state.robot, M.neg(state.gravity))
    local qdd = form:accelerate(form:free(state.tau, needed_wrenches(state, motion)))
    state:put("qdd", "joints", "m/s^2", "rad/s^2", "joint acceleration", qdd)
    state:check_positive(form.D)
    state:finish()
  end,
}

Family.crba = {
  frameless = true,
  doc = "Joint-space inertia M, armature included: lower triangle by rows.",
  variants = direct "CRBA",
  program = function(context, variant)
    local state = State.new(context, variant, {armature = true, inertia = true})
    local mass = formulations.joint.mass_matrix(state.robot, state.inertias)
    local values = {}
    for i = 1, state.chain.nj do
      for j = 1, i do
        local v = mass[i][j]
        values[#values + 1] = i == j and v + state.armature[i] or v
      end
    end
    state:put("M", "packed", "1", "1", "joint-space inertia [kg m^2, kg m, kg]", values)
    state:finish()
  end,
}

-- Momentum of an inertia {m, h, I} with twist {w, v} at its origin: {f, n} = {m v + w x h, I w + h x v}.
local function momentum(inertia, t)
  return {
    f = M.add(M.scale(inertia.m, t.v), M.cross(t.w, inertia.h)),
    n = M.add(M.symmetric_mul(inertia.I, t.w), M.cross(inertia.h, t.v)),
  }
end

-- Energies and the Gauss function
--   Z = sum_i (1/2 a_i^T I_i a_i + p_i^T a_i) + sum_j (1/2 d_j qdd_j^2 - tau_j qdd_j)
-- with spatial accelerations a_i (a_0 = -g) and p_i = v_i x* I_i v_i less the physical wrenches.
Family.energy = {
  frameless = true,
  doc = "Kinetic and potential energy, and the Gauss function Z that the solve makes least.",
  variants = direct "recursion",
  program = function(context, variant)
    local state = State.new(context, variant, {
      qd = true, qdd = true, one_tau = true, gravity = true, armature = true, wrenches = "physical",
      inertia = true, whole = true,
    })
    local n, robot = state.chain.n, state.robot
    local twists = state:twists()
    local motion = K.accelerations(robot, M.neg(state.gravity), state.qdd)
    local kinetic, gauss = 0, 0
    local given = {}
    for _, w in ipairs(state.wrenches) do
      local at = w.frame.body
      if at > 0 then
        local part = state:wrench_on_body(w)
        given[at] = given[at] and K.add_wrench(given[at], part) or part
      end
    end
    for i = 1, n do
      ag.region("energy of " .. robot.bodies[i].link.name)
      local inertia, t, m = state.inertias[i], twists[i], motion[i]
      local p = momentum(inertia, t)
      kinetic = kinetic + 0.5 * (M.dot(p.f, t.v) + M.dot(p.n, t.w))
      -- spatial acceleration at the origin: classical less w x v
      local a = {w = m.wd, v = M.sub(m.a, M.cross(t.w, t.v))}
      local Ia = momentum(inertia, a)
      -- v x* I v = {w x f, w x n + v x f}
      local bias = {f = M.cross(t.w, p.f), n = M.add(M.cross(t.w, p.n), M.cross(t.v, p.f))}
      if given[i] then bias = {f = M.sub(bias.f, given[i].f), n = M.sub(bias.n, given[i].n)} end
      gauss = gauss + (0.5 * (M.dot(Ia.f, a.v) + M.dot(Ia.n, a.w)) + M.dot(bias.f, a.v) + M.dot(bias.n, a.w))
    end
    ag.region("energy of the rotors")
    for i = 1, state.chain.nj do
      local d = state.armature[i]
      kinetic = kinetic + 0.5 * d * (state.qd[i] * state.qd[i])
      gauss = gauss + (0.5 * d * (state.qdd[i] * state.qdd[i]) - state.tau[i] * state.qdd[i])
    end
    -- potential: -sum g . (m p + R h)
    ag.region("potential energy")
    local poses, first = state:body_poses(), {0, 0, 0}
    for i = 1, n do
      local inertia = state.inertias[i]
      first = M.add(first, M.add(M.scale(inertia.m, poses[i].p), M.mul(poses[i].R, inertia.h)))
    end
    state:put("kinetic", "scalar", "J", "J", "kinetic energy, rotors included", {kinetic})
    state:put("potential", "scalar", "J", "J", "potential energy of the moving bodies, zero at the base's origin", {-M.dot(state.gravity, first)})
    state:put("gauss", "scalar", "J/s^2", "J/s^2", "Gauss function Z of qdd and tau", {gauss})
    state:finish()
  end,
}

return Family
