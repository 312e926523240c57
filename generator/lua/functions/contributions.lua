-- SPDX-License-Identifier: MIT
-- contributions.lua: the solve by what causes it. The solver is linear in gravity, velocity terms, joint torques,
-- wrenches and set-points, so each has its own share of qdd, nu and the demanded torques, and the shares add up.

local spatial = require "spatial"
local motion = require "motion"

local Sources = {}

-- Per source {name, u, target, own, u_art, drivers}: what the row system and the torques take of it. form: recursion or
-- joint. u_art: u of an artificial wrench, for rows that yield to it; drivers: what of it has weights (drivers.lua).
function Sources.list(state, form)
  local robot, list, none = state.robot, {}, {}
  for c = 1, state.chain.nb + state.chain.nj do none[c] = 0 end
  local function source(name, tau, wrenches)
    ag.region("contribution of " .. name, name)
    local s = {name = name, u = form:free(tau, wrenches), own = none, target = {}, drivers = {}}
    for j = 1, #state.rows do s.target[j] = 0 end
    list[#list + 1] = s
    return s
  end

  ag.region("contribution of gravity", "gravity")
  source("gravity", none, state:inertial_wrenches(motion.accelerations(state:still(), -state.gravity)))

  ag.region("contribution of velocity", "velocity")
  local motions = motion.accelerations(robot, spatial.zero)
  local velocity = source("velocity", none, state:inertial_wrenches(motions))
  for j, x in ipairs(state:seen(motions, spatial.zero)) do velocity.target[j] = -x end

  local tau = state:acting_torques()
  for i = 1, state.chain.nj do tau[i] = tau[i] + state.tau_art[i] end
  local forward = source("feed_forward", state:by_coordinate(tau), {})
  forward.own, forward.drivers = state:by_coordinate(state.tau_art), {"tau_phys", "tau_art", "viscous"}

  for _, w in ipairs(state.wrenches) do
    local given = {}
    if w.frame.body > 0 or state.base then given[w.frame.body] = state:wrench_on_body(w) end
    local own = motion.joint_forces(robot, given, "contribution of " .. w.name .. ": ")
    local s = source(w.name, own, {})
    s.drivers = {w.name}
    if w.kind == "artificial" then s.own, s.u_art = own, s.u end
  end
  for _, g in ipairs(state.groups) do
    local s = {name = g.name, u = none, own = none, target = {}, drivers = {}}
    for j, row in ipairs(state.rows) do s.target[j] = row.group == g and row.b or 0 end
    list[#list + 1] = s
  end
  return list
end

-- Puts out the shares that the layout asks for.
function Sources.output(state, name, vdot, nu, demand)
  local n, nb, of = state.chain.nj, state.chain.nb, {id = name, of = name}
  local asked = state.layout.contributions
  if asked.qdd then
    state:put("qdd_of.", table.move(vdot, nb + 1, nb + n, 1, {}), of)
    if state.base then state:put_on_base("base_acc_of.", vdot, of) end
  end
  if asked.nu and #nu > 0 then
    state:put("nu_of.", nu, of)
  end
  if asked.tau_ctrl then
    local tau = {}
    for i = 1, n do tau[i] = state.passive[i] and 0 or demand[nb + i] end
    state:put("tau_ctrl_of.", tau, of)
  end
end

return Sources
