-- achd.lua: the constrained hybrid dynamics solve as one program: inputs, sweeps, row system, torques.
--
-- minimise Z = sum 1/2 a^T I a + p^T a + sum 1/2 d qdd^2 - tau qdd   subject to   A^T a = b
-- (DESIGN 4; Vereshchagin 1989; Shakhimardanov 2015; Vukcevic 2020, alg. 2, but for tau_ctrl).

local S = require "scalar"
local M = require "spatial"
local K = require "motion"
local R = require "rows"
local State = require "state"
local formulations = {recursion = require "recursion", joint = require "joint"}

local Achd = {doc = "Popov-Vereshchagin solve: the qdd of least constraint (Gauss) that meets the rows in force."}

-- What joints with a motor must give: {[i] = sum_j J_ij nu_j + own_i}, over the artificial rows.
local function demanded(state, form, rows, J, nu, own)
  local n = state.chain.nj
  if J then
    ag.region("torques: J^T A nu")
    local tau = {}
    for i = 1, n do
      tau[i] = own[i]
      for j, row in ipairs(rows) do
        if row.group.kind == "artificial" then tau[i] = tau[i] + J[j][i] * nu[j] end
      end
    end
    return tau
  end
  -- one wrench per body carried inward
  local wrenches = {}
  for j, row in ipairs(rows) do
    if row.group.kind == "artificial" then
      local at, w = row.group.frame.body, state:row_wrench(row)
      local part = {f = M.scale(nu[j], w.f), n = M.scale(nu[j], w.n)}
      wrenches[at] = wrenches[at] and K.add_wrench(wrenches[at], part) or part
    end
  end
  local tau = K.joint_forces(state.robot, wrenches, "torques: J^T A nu, ")
  for i = 1, n do tau[i] = tau[i] + own[i] end
  return tau
end

-- nu of the rows, their relative pivots, and when a policy acted.
local function solve_rows(state, rows, k, inv, u, target)
  local masks = {}
  for j, row in ipairs(rows) do masks[j] = row.mask or false end
  local layout, chain = state.layout, state.chain
  local floors = R.floors(rows, chain.mass, chain.reach, state.single)
  return R.solve(k, inv, u, target, masks, floors, layout.singularity, layout.singular_threshold, state.single)
end

local function plus_rows(n, u, k, nu)
  local e = {}
  for i = 1, n do
    e[i] = u[i]
    for j = 1, #k do e[i] = e[i] + k[j][i] * nu[j] end
  end
  return e
end

-- variant: {formulation, way, axes} (main.lua)
function Achd.program(context, variant)
  local layout = context.layout
  local state = State.new(context, variant, {
    qd = true, gravity = true, tau = true, wrenches = true, rows = true, armature = true, inertia = true,
  })
  local robot, n, rows = state.robot, state.chain.nj, state.rows

  local form = formulations[variant.formulation].new(robot, state.inertias, state.armature)

  -- the motion at qdd = 0, and the wrenches it takes less those that are given
  local motion = K.accelerations(robot, M.neg(state.gravity))
  local inertial, external, artificial = {}, {}, {}
  for i = 1, robot.n do
    ag.region("outward: forces of " .. robot.bodies[i].link.name)
    inertial[i] = K.inertial_wrench(state.inertias[i], motion[i])
  end
  for _, w in ipairs(state.wrenches) do
    ag.region("wrench: " .. w.name)
    local wrench = state:wrench_on_body(w)
    local list = w.kind == "artificial" and artificial or external
    if w.frame.body > 0 then
      local at = w.frame.body
      list[at] = list[at] and K.add_wrench(list[at], wrench) or wrench
    end
  end
  local physical = {} -- what bodies need from their joints without the artificial wrenches
  for i = 1, robot.n do
    local e = external[i]
    physical[i] = e and {f = M.sub(inertial[i].f, e.f), n = M.sub(inertial[i].n, e.n)} or inertial[i]
  end

  -- joint torques on top of gravity and motion; artificial wrenches act through the motors
  local own = K.joint_forces(robot, artificial, "artificial wrenches: ")
  local tau = {}
  for i = 1, n do
    own[i] = own[i] + state.tau_art[i]
    tau[i] = own[i] + state.tau_phys[i]
  end
  local u = form:free(tau, physical)

  -- constraint rows
  local J, k
  if variant.formulation == "joint" then
    J = {}
    for _, g in ipairs(state.groups) do
      local part = R.jacobian(robot, g, rows, state:way(g), state:to_body_function(), state.poses)
      for _, row in ipairs(rows) do
        if row.group == g then J[#J + 1] = part[row.k] end
      end
    end
    k = form:project_columns(J)
  else
    k = form:project_rows(rows, function(row) return state:row_wrench(row) end)
  end
  local target = {}
  do
    local seen = state:seen(motion)
    for j, row in ipairs(rows) do target[j] = row.b - seen[j] end
  end
  local nu, pivot, acted = solve_rows(state, rows, k, form.inv, u, target)
  for j = 1, #rows do ag.label(nu[j], "nu" .. j) end

  -- torques for the motors
  local demand = demanded(state, form, rows, J, nu, own)
  local tau_ctrl, unactuated = {}, {}
  for i = 1, n do
    if state.passive[i] then
      tau_ctrl[i], unactuated[i] = 0, demand[i]
    else
      tau_ctrl[i] = demand[i]
    end
  end

  -- the motion: of the demanded torques, or of the clamped ones with the physical rows solved again
  local e = plus_rows(n, u, k, nu)
  local saturated = false
  if layout.saturate then
    ag.region("saturation: clamp")
    local applied = {}
    for i = 1, n do
      local limit = state.effort[i]
      if limit and not state.passive[i] then
        local t = tau_ctrl[i]
        saturated = S.lor(saturated, S.lor(S.lt(limit, t), S.lt(t, -limit)))
        tau_ctrl[i] = S.clamp(t, limit)
      end
      applied[i] = tau_ctrl[i] + state.tau_phys[i]
    end
    local u2 = form:free(applied, physical)
    local index, rows2, k2, target2 = {}, {}, {}, {}
    for j, row in ipairs(rows) do
      if row.group.kind == "physical" then
        index[#index + 1], rows2[#rows2 + 1] = j, row
        k2[#k2 + 1], target2[#target2 + 1] = k[j], target[j]
      end
    end
    local nu2, _, acted2 = solve_rows(state, rows2, k2, form.inv, u2, target2)
    for j = 1, #rows2 do nu[index[j]] = nu2[j] end
    for _, condition in pairs(acted2) do acted[#acted + 1] = condition end
    e = plus_rows(n, u2, k2, nu2)
  end
  local qdd = form:accelerate(e)

  -- outputs
  state:output("qdd", qdd)
  state:output("nu", nu)
  state:output("tau_ctrl", tau_ctrl)
  state:output("tau_total", function()
    local t = {}
    for i = 1, n do t[i] = form.D[i] * qdd[i] end
    return t
  end)
  state:output("tau_apparent", function()
    local t = {}
    for i = 1, n do
      t[i] = 0
      for j = 1, #rows do t[i] = t[i] + k[j][i] * nu[j] end
    end
    return t
  end)
  state:output_unactuated(unactuated)
  if #rows > 0 then
    state:output("pivot_min", function()
      local least = pivot[1]
      for j = 2, #pivot do least = S.min(least, pivot[j]) end
      return {least}
    end)
    state:output("pivot", pivot)
    state:output("residual", function()
      local seen = state:seen(state:with_qdd(motion, qdd))
      for j, row in ipairs(rows) do seen[j] = seen[j] - row.b end
      return seen
    end)
  end
  state:output_frames(motion, qdd)

  -- status
  state:singular(S.any(acted), layout.singularity)
  if layout.saturate then state:saturated(saturated) end
  state:check_unactuated(unactuated, rows, nu)
  state:check_positive(form.D)
  state:finish()
end

return Achd
