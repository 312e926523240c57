-- did.lua: inverse and forward dynamics with their derivatives.
--
-- Forward dynamics by implicit differentiation: with the accelerations vdot that hold tau = ID(q, qd, vdot),
--     dvdot = M^-1 (dtau - dID at constant vdot)

local spatial = require "spatial"
local motion = require "motion"
local Joint = require "joint"
local Derivatives = require "derivatives"
local State = require "state"
local Matrices = require "matrices"
local Family = require "family"

local D = {}

local function variants(method)
  return function()
    return {
      {formulation = method, way = "base", axes = "matrix"},
      {formulation = method, way = "wrench", axes = "chain"},
    }
  end
end

local function joints_of(state, by_coordinate)
  local nb = state.chain.nb
  return table.move(by_coordinate, nb + 1, nb + state.chain.nj, 1, {})
end

-- Derivatives by q and qd of the forces that a motion takes less the given wrenches; joints_only: by q of the joints.
local function of_motion(state, motions, joints_only)
  local robot = state.robot
  return Derivatives.of_forces(robot, state.inertias, motions, Derivatives.twists(robot),
    state:needed_wrenches(motions), Matrices.held(state, "physical"), joints_only)
end

-- Of forward dynamics, the columns of change.q by a turn e of a moving base about the axes of the world, from those by qd. Turned with all that is
-- given, a robot has its accelerations turned with it; then what is given turns back: gravity g, which a base that is
-- free to move just takes over, the angular velocity w, of the wrenches f and n:
--     dvdot = {e x (a - g), e x alpha}  of the base  +  dvdot/dw (w x e) + dvdot/df (f x e) + dvdot/dn (n x e)
local function turn_base(state, solve, vdot, change)
  local nb, n, acc = state.chain.nb, #vdot, state.base:outward(vdot)
  local at, twist = motion.base_motion(nb, acc), motion.base_motion(nb, state.base.twist)
  ag.region("derivatives by a turn of the base", "turn")
  for c, s in ipairs(motion.base_freedoms(nb)) do
    if spatial.is_zero(s.w) then goto continue end
    local turned = {}
    for _, w in ipairs(state.wrenches) do
      motion.put_wrench(turned, w.frame.body, state:wrench_on_body({frame = w.frame, f = spatial.cross(w.f, s.w), n = spatial.cross(w.n, s.w)}))
    end
    local column = Matrices.zero(n, 1)
    if next(turned) then column = Matrices.outward(state, solve(Matrices.transpose {motion.joint_forces(state.robot, turned)}, 1), true, false) end
    local own = motion.along_base(nb, {f = spatial.cross(s.w, spatial.sub(at.v, state.gravity)), n = spatial.cross(s.w, at.w)})
    local spin = motion.along_base(nb, {f = spatial.zero, n = spatial.cross(twist.w, s.w)})
    for i = 1, n do
      change.q[i][c] = (own[i] or 0) + column[i][1]
      for k = 1, nb do change.q[i][c] = change.q[i][c] + change.qd[i][k] * spin[k] end
    end
    ::continue::
  end
end

D.did = {
  frameless = true,
  doc = "Inverse dynamics and its derivatives: the joint torques of joint accelerations qdd under gravity and physical wrenches, what they change by per q and qd, and M, what they change by per qdd.",
  variants = variants "RNEA",
  program = function(context, variant)
    local state = State.new(context, variant,
      {qd = true, qdd = true, base_acc = true, gravity = true, armature = true, wrenches = "physical", inertia = true})
    local asked = Matrices.asked(state, {"tau"})
    local motions = motion.accelerations(state.robot, spatial.neg(state.gravity), state:given_vdot())
    local tau = motion.joint_forces(state.robot, state:needed_wrenches(motions))
    local nb = state.chain.nb
    for i = 1, state.chain.nj do tau[nb + i] = tau[nb + i] + state.armature[i] * state.qdd[i] end
    Family.put_torques(state, tau, "joint torque")
    if asked("tau", "q") or asked("tau", "qd") then
      local by = of_motion(state, motions)
      for _, x in ipairs {"q", "qd"} do
        if asked("tau", x) then Matrices.put(state, "tau", x, Matrices.outward(state, by[x], true, true)) end
      end
    end
    for _, w in ipairs(state.wrenches) do
      if asked("tau", w.name) then
        local columns = Matrices.scale(-1, Matrices.wrench_columns(state, w))
        Matrices.put(state, "tau", w.name, Matrices.outward(state, columns, true, false), true)
      end
    end
    if asked("M") then Family.put_inertia(state) end
    state:finish()
  end,
}

D.dfd = {
  frameless = true,
  doc = "Forward dynamics and its derivatives: the joint accelerations of joint torques tau, gravity and physical wrenches, without constraint, and what they change by per q, qd, tau and wrench.",
  variants = variants "joint",
  program = function(context, variant)
    local state = State.new(context, variant,
      {qd = true, one_tau = true, gravity = true, armature = true, wrenches = "physical", inertia = true})
    local robot, asked = state.robot, Matrices.asked(state, {"qdd"})
    local form = Joint.new(robot, state.inertias, state.armature)
    local upward = spatial.neg(state.gravity)
    local vdot = form:accelerate(form:free(state:by_coordinate(state.tau), state:needed_wrenches(motion.accelerations(robot, upward))))
    state:put("qdd", "joints", "m/s^2", "rad/s^2", "joint acceleration", joints_of(state, vdot))
    if state.base then state.base:put_acceleration(vdot) end
    ag.region("inverse of the joint-space inertia", "inverse")
    local inverse, solve = Matrices.inverse(robot, form.factor)
    if asked("qdd", "q") or asked("qdd", "qd") then
      local by = of_motion(state, motion.accelerations(robot, upward, vdot), state.base ~= nil)
      if Matrices.loses(context.race, asked, vdot, by) then return end
      local change = {}
      for _, x in ipairs {"qd", "q"} do change[x] = Matrices.outward(state, solve(by[x], -1), true, true) end
      if state.base then turn_base(state, solve, vdot, change) end
      for _, x in ipairs {"q", "qd"} do
        if asked("qdd", x) then Matrices.put(state, "qdd", x, change[x]) end
      end
    end
    if asked("qdd", "tau") then
      Matrices.put(state, "qdd", "tau", Matrices.outward(state, Matrices.of_joints(state, inverse), true, false))
    end
    for _, w in ipairs(state.wrenches) do
      if asked("qdd", w.name) then
        local columns = solve(Matrices.wrench_columns(state, w), 1)
        Matrices.put(state, "qdd", w.name, Matrices.outward(state, columns, true, false), true)
      end
    end
    state:check_positive(form.D)
    state:finish()
  end,
}

return D
