-- SPDX-License-Identifier: MIT
-- family.lua: the rest of the family: kinematics, inverse and forward dynamics, each free of what it
-- does not need. Every function is {doc, frameless, variants, program}, as achd.lua's (main.lua).

local scalar = require "scalar"
local spatial = require "spatial"
local motion = require "motion"
local State = require "state"
local Gears = require "gears"
local formulations, Matrices = require "formulations", require "matrices"
local Bound, Shorter, Halves = require "bound", require "shorter", require "halves"

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

-- key, on_base: of the torques and of what acts on a moving base (output_table.lua).
function Family.put_torques(state, forces, key, on_base)
  local nb, n = state.chain.nb, state.chain.nj
  local tau = table.move(forces, nb + 1, nb + n, 1, {})
  state:put(key, tau)
  if key:match("^tau") then state:output_motors(tau, "tau") end
  if state.base then state:put_on_base(on_base or "base.wrench", forces) end
end

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

local no_gravity = spatial.zero

Family.fak = {
  frameless = false,
  doc = "Forward acceleration kinematics: accelerations of the named frames, from joint accelerations.",
  variants = direct "chain",
  program = function(context, variant)
    local state = State.new(context, variant, {qd = true, qdd = true, base_acc = true, root = true})
    state.gravity = no_gravity
    local motions = motion.accelerations(state.robot, no_gravity, state:given_vdot(), state.root)
    local family = context.layout.family
    for _, f in ipairs(family.acc) do
      ag.region("output: acceleration of " .. f.name, f.id)
      state:output_acceleration(f, motions, family.acceleration, "acc.")
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
    local motions = motion.accelerations(state.robot, no_gravity)
    local family = context.layout.family
    for _, f in ipairs(family.jac) do
      ag.region("output: J-dot q-dot of " .. f.name, f.id)
      state:output_acceleration(f, motions, family.acceleration, "jdqd.")
    end
    state:finish()
  end,
}

-- How the velocities move and turn a body at a point: {lin, ang} by coordinate, along the axes of the base (moving:
-- of the world, those of the base's own velocities too); and how the joint of each body on the way to it does. point:
-- in the body's axes from its origin; or nil, where r is that along the axes of the base. The lever arm r grows from
-- there towards the base: it takes one sum a body where positions from the base would take a difference, too.
function Family.partial_velocities(state, poses, body, point, r)
  local robot, chain, columns, single = state.robot, state.chain, {}, {}
  for j = 1, chain.nj do columns[chain.nb + j] = {lin = spatial.zero, ang = spatial.zero} end
  r = r or poses[body].R * point
  for _, i in ipairs(motion.way(robot, body, 0)) do
    local b, axis = robot.bodies[i], spatial.column(poses[i].R, 3)
    local lin, ang = axis, spatial.zero
    if not b.prismatic then
      lin, ang = point and i == body and poses[i].R * spatial.cross({0, 0, 1}, point) or spatial.cross(axis, r), axis
    end
    for _, m in ipairs(motion.moves(chain, i)) do
      local c, ratio = chain.nb + m.joint, m.ratio
      columns[c] = {lin = columns[c].lin + ratio * lin, ang = columns[c].ang + ratio * ang}
    end
    single[i] = {lin = lin, ang = ang}
    r = r + poses[b.parent].R * b.p
    if b.prismatic then r = r + b.q * axis end
  end
  for c, t in ipairs(motion.base_freedoms(chain.nb)) do
    columns[c] = {lin = t.v + spatial.cross(t.w, r), ang = t.w}
  end
  return columns, single
end

local function rows_of(columns, part)
  local values = {}
  for k = 1, 3 do
    for c = 1, #columns do values[#values + 1] = columns[c][part][k] end
  end
  return values
end

Family.jac = {
  frameless = false,
  doc = "Jacobians of the named frames: twist at the frame's origin, by the velocities of the base, if it moves, " ..
    "and of the joints.",
  variants = direct "matrix",
  program = function(context, variant)
    local state = State.new(context, variant, {})
    local poses = state:body_poses()
    for _, f in ipairs(context.layout.family.jac) do
      ag.region("output: Jacobian of " .. f.name, f.id)
      local columns = Family.partial_velocities(state, poses, f.frame.body, f.frame.p)
      local values = rows_of(columns, "lin")
      table.move(rows_of(columns, "ang"), 1, 3 * #columns, #values + 1, values)
      state:put("jac.", values, {id = f.id, of = f.name})
    end
    state:finish()
  end,
}

Family.id = {
  frameless = true,
  doc = "Inverse dynamics (RNEA): the joint torques that give joint accelerations qdd under gravity and physical " ..
    "wrenches.",
  variants = direct "RNEA",
  program = function(context, variant)
    local state = State.new(context, variant, {
      qd = true, qdd = true, base_acc = true, gravity = true, armature = true, wrenches = "physical", inertia = true,
      root = true,
    })
    local motions = motion.accelerations(state.robot, -(variant.weight and variant.weight(state) or state.gravity),
      state:given_vdot(), state.root)
    local tau = motion.joint_forces(state.robot, state:needed_wrenches(motions))
    Gears.push(tau, state.chain.nb, state.armature, state:given_vdot())
    Family.put_torques(state, tau, "tau")
    state:finish()
  end,
}

-- Robot at rest in its joints' eyes: no velocities.
local function at_rest(state)
  local robot = state.robot
  for i = 1, robot.n do robot.bodies[i].qd = 0 end
  if robot.base then robot.base.w, robot.base.v = spatial.zero, spatial.zero end
  return robot
end

Family.gravity = {
  frameless = true,
  doc = "Gravity torques: the joint torques that hold the robot still.",
  variants = direct "RNEA",
  program = function(context, variant)
    local state = State.new(context, variant, {gravity = true, inertia = true, root = true})
    local motions = motion.accelerations(at_rest(state), -state.gravity, nil, state.root)
    Family.put_torques(state, motion.joint_forces(state.robot, state:needed_wrenches(motions)), "tau of gravity")
    state:finish()
  end,
}

Family.bias = {
  frameless = true,
  doc = "Coriolis and centrifugal torques, no gravity: C(q, qd) qd.",
  variants = direct "RNEA",
  program = function(context, variant)
    local state = State.new(context, variant, {qd = true, inertia = true})
    local motions = motion.accelerations(state.robot, no_gravity)
    Family.put_torques(state, motion.joint_forces(state.robot, state:needed_wrenches(motions)), "tau of velocities")
    state:finish()
  end,
}

Family.fd = {
  frameless = true,
  doc = "Forward dynamics: the joint accelerations of joint torques tau, gravity and physical wrenches; no constraint.",
  program = function(context, variant)
    local state = State.new(context, variant,
      {qd = true, one_tau = true, gravity = true, armature = true, wrenches = "physical", inertia = true, root = true})
    local form = (variant.form or formulations[variant.formulation]).new(state.robot, state.inertias, state.armature,
      variant.factor)
    local motions = motion.accelerations(state.robot, -state.gravity, nil, state.root)
    local vdot = form:accelerate(form:free(state:by_coordinate(state.tau), state:needed_wrenches(motions)))
    local nb, n = state.chain.nb, state.chain.nj
    state:put("qdd of forward dynamics", table.move(vdot, nb + 1, nb + n, 1, {}))
    if state.base then state:put_on_base("base.acc", vdot) end
    state:output_bound(vdot, function()
      return Bound.of(state, vdot, state:by_coordinate(state.tau), nil, Bound.general(form, {}, nil, nb + n))
    end)
    state:check_positive(form.D)
    state:finish()
  end,
}

-- The lower triangle of M by rows, armature included, the base's rows and columns turned to the axes of the world.
local function packed_inertia(state)
  local nb, base = state.chain.nb, state.base
  local mass, whole = formulations.joint.mass_matrix(state.robot, state.inertias)
  Gears.onto(mass, nb, state.armature)
  for j = 1, base and state.chain.nj or 0 do table.move(base:outward(mass[nb + j]), 1, nb, 1, mass[nb + j]) end
  if base then
    local Sigma = spatial.rotate_symmetric(base.R, whole.Sigma)
    local turned = formulations.joint.base_block(nb, {m = whole.m, h = base.R * whole.h, Sigma = Sigma})
    for i = 1, nb do mass[i] = turned[i] end
  end
  return Matrices.packed(mass)
end

function Family.put_inertia(state)
  state:put("M on a " .. (state.base and "moving" or "fixed") .. " base", packed_inertia(state))
end

Family.crba = {
  frameless = true,
  doc = "Joint-space inertia M, rotor inertias included: lower triangle by rows, a moving base first.",
  variants = direct "CRBA",
  program = function(context, variant)
    local state = State.new(context, variant, {armature = true, inertia = true})
    Family.put_inertia(state)
    state:finish()
  end,
}

-- Energies and the Gauss function
--   Z = sum_i (1/2 a_i^T I_i a_i + p_i^T a_i) + sum_j (1/2 d_j qdd_j^2 - tau_j qdd_j)
-- with spatial accelerations a_i (a_0 = -g) and p_i = v_i x* I_i v_i less the physical wrenches.
Family.energy = {
  frameless = true,
  doc = "Kinetic and potential energy, and the Gauss function Z that the constrained solve minimises.",
  variants = direct "recursion",
  program = function(context, variant)
    local state = State.new(context, variant, {
      qd = true, qdd = true, one_tau = true, gravity = true, armature = true, wrenches = "physical",
      inertia = true, whole = true, base_acc = true, root = true,
    })
    local n, robot, first_body = state.chain.n, state.robot, state.base and 0 or 1
    local twists = state:twists()
    local motions = motion.accelerations(robot, -state.gravity, state:given_vdot(), state.root)
    local kinetic, gauss = 0, 0
    local given = state:given_wrenches("physical")
    for i = first_body, n do
      local link = i > 0 and robot.bodies[i].link
      ag.region("energy of " .. (link and link.name or state.base_name), link and link.id or "base")
      local inertia, t, m = state.inertias[i], twists[i], motions[i]
      local p = motion.momentum(inertia, t)
      kinetic = kinetic + 0.5 * (spatial.dot(p.f, t.v) + spatial.dot(p.n, t.w))
      -- spatial acceleration at the origin: classical less w x v
      local a = {w = m.wd, v = m.a - spatial.cross(t.w, t.v)}
      local Ia = motion.momentum(inertia, a)
      -- v x* I v = {w x f, w x n + v x f}
      local bias = {f = spatial.cross(t.w, p.f), n = spatial.cross(t.w, p.n) + spatial.cross(t.v, p.f)}
      if given[i] then bias = motion.sub_wrench(bias, given[i]) end
      gauss = gauss + (0.5 * (spatial.dot(Ia.f, a.v) + spatial.dot(Ia.n, a.w)) +
        spatial.dot(bias.f, a.v) + spatial.dot(bias.n, a.w))
    end
    ag.region("energy of the rotors")
    for i = 1, state.chain.nj do
      local d = state.armature[i]
      kinetic = kinetic + 0.5 * d * (state.qd[i] * state.qd[i])
      gauss = gauss + (0.5 * d * (state.qdd[i] * state.qdd[i]) - state.tau[i] * state.qdd[i])
    end
    for _, c in ipairs(state.armature.coupled or {}) do
      local i, j, d = c[1], c[2], c[3]
      kinetic, gauss = kinetic + d * (state.qd[i] * state.qd[j]), gauss + d * (state.qdd[i] * state.qdd[j])
    end
    for i, d in pairs(robot.rotors or {}) do
      kinetic = kinetic + 0.5 * d * (robot.bodies[i].qd * robot.bodies[i].qd)
      gauss = gauss + 0.5 * d * (motions.rates[i] * motions.rates[i])
    end
    -- potential: -sum g . (m p + R h)
    ag.region("potential energy")
    local poses, first = state:body_poses(), {0, 0, 0}
    for i = first_body, n do
      local inertia = state.inertias[i]
      first = first + (inertia.m * poses[i].p + poses[i].R * inertia.h)
    end
    state:put("kinetic", {kinetic})
    state:put("potential", {-spatial.dot(state.gravity, first)})
    state:put("gauss", {gauss})
    state:finish()
  end,
}

-- Per body {m, h} with the first moment along the axes of the world, about the base's origin.
local function first_moments(state, poses)
  local list = {}
  for i = state.base and 0 or 1, state.chain.n do
    local inertia, pose = state.inertias[i], poses[i]
    list[i] = {m = inertia.m, h = inertia.m * pose.p + pose.R * inertia.h}
  end
  return list
end

-- Whether all masses that move are 0, and none comes at run time.
local function massless(context)
  local chain, layout = context.chains.link, context.layout
  for _, p in ipairs(layout.payloads) do
    if p.at_run_time then return false end
  end
  for i = chain.nb > 0 and 0 or 1, chain.n do
    local b = chain.bodies[i]
    if not scalar.is_zero((b.whole_inertia or b.inertia).m) then return false end
  end
  return #layout.inertia_inputs == 0
end

Family.com = {
  frameless = true,
  doc = "Centre of mass of the moving bodies, its velocity and Jacobian, and the momentum about it.",
  variants = direct "chain",
  refused = function(context)
    if massless(context) then
      return {line = 0, what = "the robot has no mass, so no centre of mass",
        remedy = "give its links <inertial>s, or the layout inertials"}
    end
  end,
  program = function(context, variant)
    local state = State.new(context, variant, {qd = true, inertia = true, whole = true})
    local chain, robot, poses, twists = state.chain, state.robot, state:body_poses(), state:twists()
    -- composites from the tips inward: mass and first moment of a body and all that it carries
    local carried, n, nb = first_moments(state, poses), chain.n, chain.nb
    ag.region("centre of mass", "com")
    for i = n, 1, -1 do
      local to = carried[robot.bodies[i].parent]
      if to then to.m, to.h = to.m + carried[i].m, to.h + carried[i].h end
    end
    local m, h = 0, spatial.zero
    if state.base then
      m, h = carried[0].m, carried[0].h
    else
      for i, b in ipairs(robot.bodies) do
        if b.parent == 0 then m, h = m + carried[i].m, h + carried[i].h end
      end
    end
    local per_mass = scalar.divide(1, m)
    local com = per_mass * h
    -- column of joint i: (m_i z x (c_i - p_i)) / m, m_i and c_i of all that it carries
    ag.region("Jacobian of the centre of mass", "com")
    local columns = {}
    for c, t in ipairs(motion.base_freedoms(nb)) do columns[c] = {lin = t.v + spatial.cross(t.w, com)} end
    for j = 1, chain.nj do columns[nb + j] = {lin = spatial.zero} end
    for i = 1, n do
      local axis = spatial.column(poses[i].R, 3)
      local moved = carried[i].m * axis
      if not robot.bodies[i].prismatic then
        moved = spatial.cross(axis, carried[i].h - carried[i].m * poses[i].p)
      end
      for _, by in ipairs(motion.moves(chain, i)) do
        columns[nb + by.joint].lin = columns[nb + by.joint].lin + (by.ratio * per_mass) * moved
      end
    end
    ag.region("momentum", "momentum")
    local lin, ang = spatial.zero, spatial.zero
    for i = state.base and 0 or 1, n do
      local p = motion.momentum(state.inertias[i], twists[i])
      local f, moment = state:to_base(i, p.f), state:to_base(i, p.n)
      lin, ang = lin + f, ang + (moment + spatial.cross(poses[i].p, f))
    end
    ang = ang - spatial.cross(com, lin)
    local base = state.base and " on a moving base" or " on a fixed base"
    state:put("com.m", {m})
    state:put("com.p" .. base, com)
    state:put("com.v", per_mass * lin)
    state:put("com.jac" .. base, rows_of(columns, "lin"))
    state:put("com.momentum", {lin[1], lin[2], lin[3], ang[1], ang[2], ang[3]})
    state:finish()
  end,
}

-- Gravity, where the base's acceleration holds it: less it along the axes of the world, so that both are turned as one.
local function weight_in_acceleration(state)
  local acc, g = state.base.acc, state.gravity
  state.base.acc = {acc[1] - g[1], acc[2] - g[2], acc[3] - g[3], acc[4], acc[5], acc[6]}
  return no_gravity
end

function Family.id.for_lanes(context, best)
  if context.chains.link.nb ~= 6 then return nil end
  return setmetatable({weight = weight_in_acceleration}, {__index = best})
end

-- What limbs as lanes may be made of beside the variant with the fewest operations (limbs/ chooses). A bound is of the
-- base's pivots; inertias that come at run time may be of any size.
function Family.fd.for_lanes(context, best)
  local layout, chain = context.layout, context.chains.link
  if #chain.linkages > 0 then return nil end
  for _, output in ipairs(layout.outputs) do
    if output == "bound" then return nil end
  end
  if best.formulation ~= "recursion" then return nil end
  local known = #layout.inertia_inputs == 0
  for _, load in ipairs(layout.payloads) do known = known and not load.at_run_time end
  local halves = chain.nb == 6 and known and Halves.fit(chain, context.single)
  return setmetatable({form = Shorter, factor = halves and Halves or nil}, {__index = best})
end

return Family
