-- SPDX-License-Identifier: MIT
-- did.lua: inverse and forward dynamics with their derivatives: those of forward dynamics by forward_derivatives.lua.

local motion = require "motion"
local Joint = require "joint"
local State = require "state"
local Matrices = require "matrices"
local Family = require "family"
local Forward = require "forward_derivatives"
local Gears = require "gears"

local D = {}

-- Only given wrenches are along axes of the world, and moved there: without them one variant is all.
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
    Gears.push(tau, state.chain.nb, state.armature, state:given_vdot())
    Family.put_torques(state, tau, "tau")
    if asked("tau", "q") or asked("tau", "qd") then
      local by = Forward.of_motion(state, motions)
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
    local free = Forward.free(state, form, asked("qdd", "qd"))
    local vdot = free.vdot
    state:put("qdd of forward dynamics", joints_of(state, vdot))
    if state.base then state:put_on_base("base.acc", vdot, nil, free.gravity) end
    ag.region("inverse of the joint-space inertia", "inverse")
    local inverse, solve = Matrices.inverse(robot, form.factor)
    if asked("qdd", "q") or asked("qdd", "qd") then
      local by = Forward.of_motion(state, Forward.motions(state, free), free.qd and "joints")
      by.qd = free.qd or by.qd
      if Matrices.stops(context.run, asked, state, vdot, by) then return end
      local change = {}
      for _, x in ipairs {"q", "qd"} do
        if asked("qdd", x) then change[x] = Matrices.outward(state, solve(by[x], -1), true, true) end
        if change[x] and not free.qd then state:put_derivative("qdd", x, change[x]) end
      end
      if free.qd then
        if change.q then Forward.turn_base(state, solve, vdot, change) end
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
