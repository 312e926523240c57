-- SPDX-License-Identifier: MIT
-- dachd.lua: the constrained solve with its derivatives, by implicit differentiation (implicit.lua): of the branch
-- taken, of rows in force, torques at their limits, damping and cuts as they stand.

local scalar = require "scalar"
local State = require "state"
local Free = require "unconstrained"
local Implicit = require "implicit"
local Motors = require "motors"
local Drivers = require "drivers"
local Achd = require "achd"

local D = {
  doc = "The constrained solve and its derivatives: what joint accelerations, constraint forces and torques to " ..
    "command change by per q, qd, torque, set-point and wrench, on the branch that the solve took.",
}

function D.variants()
  local list = {}
  for _, axes in ipairs {"matrix", "chain"} do
    for _, way in ipairs {"tip", "base", "wrench"} do
      if axes == "matrix" or way ~= "base" then list[#list + 1] = {formulation = "joint", way = way, axes = axes} end
    end
  end
  return list
end

function D.refused(context)
  local layout = context.layout
  if Motors.needed(layout, context.chains.link) then
    return {what = "dachd has no derivatives of rows that motors and contacts alone realise",
      remedy = 'leave dachd out, or write realise = "anything"'}
  end
  if layout.saturate == "scale" then
    return {what = "dachd has no derivatives of torques that are scaled",
      remedy = 'leave dachd out, or write saturate = "clamp"'}
  end
  local weighted, physical = false, false
  for _, g in ipairs(layout.groups) do
    weighted, physical = weighted or g.weights ~= nil, physical or g.kind == "physical"
  end
  if weighted and physical then
    return {what = "dachd has no derivatives of weights beside physical rows, with which what drivers cause changes",
      remedy = "leave dachd out, or weights, or the physical rows"}
  end
end

-- The derivatives of the solve by name, {qdd, nu, tau_ctrl}; those that saturation needs beside these. x: {k,
-- J, system, vdot, nu, saturates}.
local function differentiate(implicit, rows, x)
  local asked, m, all, results = implicit.asked, #rows, {}, {}
  for j = 1, m do all[j] = j end
  if not implicit.any then return results end
  local changes, answer = implicit:changes(x.vdot, x.nu), implicit:response(x.k, x.system)
  implicit:artificial_by_position(x.nu)
  for _, by in ipairs(implicit.bys) do
    local name = by[1]
    if implicit:wanted(name) then
      local left, right = implicit:right_sides(changes, all, true, by)
      local r = {}
      if not x.saturates and asked("qdd", name) then r.qdd = Implicit.accelerations(answer, left, right) end
      local commands = x.saturates or asked("tau_ctrl", name)
      if m > 0 and (commands or asked("nu", name)) then r.nu = Implicit.forces(answer, left, right) end
      if commands then r.tau_ctrl = implicit:commands(by, #left[1], r.nu) end
      if name == "q" and r.nu and asked("nu", name) then implicit:turn_back(rows, r.nu) end
      results[name] = r
    end
  end
  return results
end

-- The same of motors that move joints together. Returns whether one is at its limit.
local function clamp_motors(state, tau_ctrl, implicit, results)
  local gears = state.layout.gears
  local any, torques, beyond = Achd.steps.clamp_motors(state, tau_ctrl)
  state.clamped_motors = torques
  for _, by in ipairs(implicit.bys) do
    local command = results[by[1]] and results[by[1]].tau_ctrl or {}
    for c = 1, #command > 0 and #command[1] or 0 do
      local column = {}
      for j = 1, state.chain.nj do column[j] = command[j][c] end
      local at_motors = gears:to_motors(column)
      for m, x in ipairs(at_motors) do at_motors[m] = beyond[m] and scalar.select(beyond[m], 0, x) or x end
      local clamped = gears:to_joints(at_motors)
      for j in pairs(state.layout.at_motors) do command[j][c] = scalar.select(any, clamped[j], column[j]) end
    end
  end
  return any
end

-- Clamps tau_ctrl, and derivatives with it: a torque at its limit stays there. Returns whether one is, and all
-- joint torques that act then.
local function clamp(state, tau_ctrl, implicit, results)
  ag.region("saturation: clamp", "clamped")
  local saturated, applied, acting = false, {}, state:acting_torques()
  for i = 1, state.chain.nj do
    local limit, t = state.effort[i], tau_ctrl[i]
    if limit and not state.passive[i] then
      local beyond = Achd.steps.at_effort(state, scalar.beyond(t, limit), limit, i)
      saturated = scalar.lor(saturated, beyond)
      tau_ctrl[i] = Achd.steps.at_effort(state, scalar.clamp(t, limit), limit, i)
      for _, by in ipairs(implicit.bys) do
        local command = results[by[1]] and results[by[1]].tau_ctrl[i] or {}
        for c, d in ipairs(command) do command[c] = scalar.select(beyond, 0, d) end
      end
    end
  end
  if state.layout.limited then
    saturated = scalar.lor(saturated, clamp_motors(state, tau_ctrl, implicit, results))
  end
  for i = 1, state.chain.nj do applied[i] = tau_ctrl[i] + acting[i] end
  return saturated, applied
end

-- The physical rows, solved again under the torques `applied`: {index, rows, k, system, vdot, nu: of all rows}; nu_out:
-- theirs.
local function solve_again(state, solve, applied, nu_out)
  local free, rows = solve.free, state.rows
  local u = free.form:free(state:by_coordinate(applied), free.physical)
  local x, target = {index = {}, rows = {}, k = {}, nu = {}}, {}
  for j, row in ipairs(rows) do
    x.nu[j] = 0
    if row.group.kind == "physical" then
      x.index[#x.index + 1], x.rows[#x.rows + 1] = j, row
      x.k[#x.k + 1], target[#target + 1] = solve.k[j], solve.target[j]
    end
  end
  x.system = Achd.steps.system_of(state, x.rows, {k = x.k, inv = free.form.inv}, u, target)
  local nu, moved = x.system.solve(u, target)
  for l, j in ipairs(x.index) do nu_out[j], x.nu[j] = nu[l], nu[l] end
  x.vdot = free.form:accelerate(moved or Achd.steps.plus_rows(u, x.k, nu))
  return x
end

-- The derivatives of that solve, in place of those before.
local function differentiate_again(state, implicit, x, results)
  if not implicit.any then return end
  local asked, n, nb = implicit.asked, state.chain.nj, state.chain.nb
  local changes, answer = implicit:changes(x.vdot, x.nu), implicit:response(x.k, x.system)
  for _, by in ipairs(implicit.bys) do
    local name = by[1]
    local r = results[name]
    if r then
      local left, right = implicit:right_sides(changes, x.index, false, by)
      for i = 1, nb + n do left[i] = table.move(left[i], 1, #left[i], 1, {}) end
      for i = 1, n do
        for c = 1, #left[nb + i] do left[nb + i][c] = left[nb + i][c] + r.tau_ctrl[i][c] end
      end
      if asked("qdd", name) then r.qdd = Implicit.accelerations(answer, left, right) end
      if #state.rows > 0 and #x.index > 0 and asked("nu", name) then
        local nu = Implicit.forces(answer, left, right)
        if name == "q" then implicit:turn_back(x.rows, nu) end
        for l, row in ipairs(nu) do r.nu[x.index[l]] = row end
      end
    end
  end
end

function D.program(context, variant)
  local layout, steps = context.layout, Achd.steps
  local state = State.new(context, variant, {
    qd = true, gravity = true, tau = true, wrenches = true, rows = true, armature = true, inertia = true, bounds = true,
  })
  local n, nb, rows, m = state.chain.nj, state.chain.nb, state.rows, #state.rows
  local free = Free.new(state, "joint")
  local form, u = free.form, free.u

  -- the solve
  local J, target = state:jacobian(), {}
  local k = form:project_columns(J)
  for j, x in ipairs(state:seen(free.motion)) do target[j] = rows[j].b - x end
  local drivers = Drivers.new(state, form)
  drivers:pass(k, target, function() return form:free(free.from_wrenches, {}) end)
  local system = steps.system_of(state, rows, {k = k, inv = form.inv}, u, target)
  local nu, moved = system.solve(u, target)
  local singular = system.singular
  local demand = steps.demanded(state, rows, J, nu, free.own)
  local vdot = form:accelerate(moved or steps.plus_rows(u, k, nu))

  -- its derivative
  local implicit = Implicit.new(state,
    {rows = rows, k = k, J = J, form = form, free = free, drivers = drivers, set_points = m}, true)
  local saturates = layout.saturate and n > 0
  local results = differentiate(implicit, rows, {k = k, system = system, vdot = vdot, nu = nu, saturates = saturates})
  local tau_ctrl, unactuated = steps.share_out(state, demand)

  -- torques at their limits: the motion that they cause, with the physical rows solved again
  local nu_out, saturated = table.move(nu, 1, m, 1, {}), false
  if layout.saturate then
    local applied
    saturated, applied = clamp(state, tau_ctrl, implicit, results)
    local again = solve_again(state, {free = free, k = k, target = target}, applied, nu_out)
    singular = scalar.lor(singular, again.system.singular)
    vdot = again.vdot
    differentiate_again(state, implicit, again, results)
  end

  -- outputs
  state:output("qdd", table.move(vdot, nb + 1, nb + n, 1, {}))
  state:output("nu", nu_out)
  state:output("tau_ctrl", tau_ctrl)
  state:output_motors(tau_ctrl, "tau_ctrl")
  if state.base and state:wanted("qdd") then state:put_on_base("base.acc", vdot) end
  implicit:put(results)

  state:singular(singular)
  if layout.saturate then state:status("SATURATED", saturated) end
  state:check_unactuated(unactuated, rows, nu_out)
  state:check_positive(form.D)
  state:finish()
end

return {dachd = D}
