-- dachd.lua: the constrained solve with its derivatives, by implicit differentiation (implicit.lua): of the branch taken,
-- of rows in force, torques at their limits, damping and cuts as they stand.

local scalar = require "scalar"
local constraints = require "constraints"
local State = require "state"
local Free = require "unconstrained"
local Implicit = require "implicit"
local Motors = require "motors"
local Achd = require "achd"

local D = {doc = "The constrained solve and its derivatives: what joint accelerations, constraint forces and torques to command change by per q, qd, torque, set-point and wrench, on the branch that the solve took."}

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
    return {what = "dachd has no derivatives of rows that motors and contacts alone realise", remedy = 'leave dachd out, or write realise = "anything"'}
  end
  if layout.saturate == "scale" then
    return {what = "dachd has no derivatives of torques that are scaled", remedy = 'leave dachd out, or write saturate = "clamp"'}
  end
end

function D.program(context, variant)
  local layout = context.layout
  local state = State.new(context, variant, {
    qd = true, gravity = true, tau = true, wrenches = true, rows = true, armature = true, inertia = true, bounds = true,
  })
  local steps = Achd.steps
  local n, nb, rows, m = state.chain.nj, state.chain.nb, state.rows, #state.rows
  local free = Free.new(state, "joint")
  local form, u = free.form, free.u

  -- the solve
  local J, target = state:jacobian(), {}
  local k = form:project_columns(J)
  for j, x in ipairs(state:seen(free.motion)) do target[j] = rows[j].b - x end
  constraints.yield(rows, k, form.inv, target, function() return form:free(free.from_wrenches, {}) end)
  local system = steps.system_of(state, rows, k, form.inv, u, target)
  local nu, acted = system.solve(u, target), table.move(system.acted, 1, #system.acted + 1, 1, {})
  local demand = steps.demanded(state, rows, J, nu, free.own)
  local vdot = form:accelerate(steps.plus_rows(u, k, nu))

  -- its derivative
  local implicit = Implicit.new(state, {rows = rows, k = k, J = J, form = form, free = free, set_points = m}, true)
  local asked, saturates, all, results = implicit.asked, layout.saturate and n > 0, {}, {}
  for j = 1, m do all[j] = j end
  if implicit.any then
    local changes, answer = implicit:changes(vdot, nu), implicit:response(k, system)
    implicit:artificial_by_position(nu)
    for _, by in ipairs(implicit.bys) do
      local name = by[1]
      if implicit:wanted(name) then
        local x, y = implicit:right_sides(changes, all, true, by)
        local r = {}
        if not saturates and asked("qdd", name) then r.qdd = Implicit.accelerations(answer, x, y) end
        local commands = saturates or asked("tau_ctrl", name)
        if m > 0 and (commands or asked("nu", name)) then r.nu = Implicit.forces(answer, x, y) end
        if commands then r.tau_ctrl = implicit:commands(by, #x[1], r.nu) end
        if name == "q" and r.nu and asked("nu", name) then implicit:turn_back(rows, r.nu) end
        results[name] = r
      end
    end
  end

  local tau_ctrl, unactuated = {}, {}
  for c = 1, nb do unactuated[c] = demand[c] end
  for i = 1, n do
    tau_ctrl[i] = state.passive[i] and 0 or demand[nb + i]
    if state.passive[i] then unactuated[nb + i] = demand[nb + i] end
  end

  -- torques at their limits: the motion that they cause, with the physical rows solved again
  local nu_out, saturated = table.move(nu, 1, m, 1, {}), false
  if layout.saturate then
    ag.region("saturation: clamp", "clamped")
    local applied, acting = {}, state:acting_torques()
    for i = 1, n do
      local limit, t = state.effort[i], tau_ctrl[i]
      if limit and not state.passive[i] then
        local beyond = scalar.lor(scalar.lt(limit, t), scalar.lt(t, -limit))
        saturated = scalar.lor(saturated, beyond)
        tau_ctrl[i] = scalar.clamp(t, limit)
        for _, by in ipairs(implicit.bys) do
          local command = results[by[1]] and results[by[1]].tau_ctrl[i] or {}
          for c, d in ipairs(command) do command[c] = scalar.select(beyond, 0, d) end
        end
      end
      applied[i] = tau_ctrl[i] + acting[i]
    end
    local u2 = form:free(state:by_coordinate(applied), free.physical)
    local index, rows2, k2, target2, nu_all = {}, {}, {}, {}, {}
    for j, row in ipairs(rows) do
      nu_all[j] = 0
      if row.group.kind == "physical" then
        index[#index + 1], rows2[#rows2 + 1], k2[#k2 + 1], target2[#target2 + 1] = j, row, k[j], target[j]
      end
    end
    local again = steps.system_of(state, rows2, k2, form.inv, u2, target2)
    local nu2 = again.solve(u2, target2)
    for l, j in ipairs(index) do nu_out[j], nu_all[j] = nu2[l], nu2[l] end
    for _, condition in pairs(again.acted) do acted[#acted + 1] = condition end
    vdot = form:accelerate(steps.plus_rows(u2, k2, nu2))
    if implicit.any then
      local second, answer2 = implicit:changes(vdot, nu_all), implicit:response(k2, again)
      for _, by in ipairs(implicit.bys) do
        local r = results[by[1]]
        if r then
          local x, y = implicit:right_sides(second, index, false, by)
          for i = 1, nb + n do x[i] = table.move(x[i], 1, #x[i], 1, {}) end
          for i = 1, n do
            for c = 1, #x[nb + i] do x[nb + i][c] = x[nb + i][c] + r.tau_ctrl[i][c] end
          end
          if asked("qdd", by[1]) then r.qdd = Implicit.accelerations(answer2, x, y) end
          if m > 0 and #index > 0 and asked("nu", by[1]) then
            local again_by = Implicit.forces(answer2, x, y)
            if by[1] == "q" then implicit:turn_back(rows2, again_by) end
            for l, row in ipairs(again_by) do r.nu[index[l]] = row end
          end
        end
      end
    end
  end

  -- outputs
  state:output("qdd", table.move(vdot, nb + 1, nb + n, 1, {}))
  state:output("nu", nu_out)
  state:output("tau_ctrl", tau_ctrl)
  if state.base and state:wanted("qdd") then state:put_on_base("base.acc", vdot) end
  implicit:put(results)

  state:singular(scalar.any(acted))
  if layout.saturate then state:status("SATURATED", saturated) end
  state:check_unactuated(unactuated, rows, nu_out)
  state:check_positive(form.D)
  state:finish()
end

return {dachd = D}
