-- osim.lua: the layout's rows as an operational space: how the robot feels along them,
--   Lambda x-ddot + mu + p = F,   tau = J^T F
--   Lambda^-1 = J M^-1 J^T,   mu = Lambda (J M^-1 C v - J-dot v),   p = Lambda J M^-1 g
-- and the dynamically consistent inverse of J, Jbar = M^-1 J^T Lambda: vdot = Jbar x-ddot moves the rows so, by least
-- force. Rows that depend on others, that no joint can move or that are masked leave Lambda by the layout's policy, as
-- in the constrained solve.
-- Source: Khatib, A unified approach for motion and force control of robot manipulators: the operational space
-- formulation, IEEE Journal on Robotics and Automation 3 (1987).

local scalar = require "scalar"
local spatial = require "spatial"
local motion = require "motion"
local constraints = require "constraints"
local formulations = require "formulations"
local Motors = require "motors"
local State = require "state"

local D = {
  doc = "Operational space of the rows: inertia Lambda, its inverse, velocity and gravity terms mu and p, and the " ..
    "dynamically consistent inverse Jbar of their Jacobian.",
}

function D.refused(context)
  local layout = context.layout
  if #layout.groups == 0 then
    return {what = "osim needs rows, and the layout has none", remedy = "name groups, or leave osim out"}
  end
  if Motors.needed(layout, context.chains.link) then
    return {what = "osim has no operational space of rows that motors and contacts alone realise",
      remedy = 'leave osim out, or write realise = "anything"'}
  end
  if layout.singularity == "truncate" then
    return {what = "osim has no policy truncate", remedy = 'write singularity = "damp" or "drop"'}
  end
end

local function packed(rows)
  local values = {}
  for i, row in ipairs(rows) do table.move(row, 1, i, #values + 1, values) end
  return values
end

local function unit(m, j)
  local e = scalar.zeros(m)
  e[j] = 1
  return e
end

-- The rows' system, and K.
local function system_of(state, form)
  local layout, k = state.layout, nil
  if state.variant.formulation == "joint" then
    k = form:project_columns(state:jacobian())
  else
    k = state:project_rows(form)
  end
  local system = {k = k, inv = form.inv, masks = {}, soft = {}, policy = layout.singularity,
    threshold = layout.singular_threshold, single = state.single, plain = true}
  for j, row in ipairs(state.rows) do
    system.masks[j], system.soft[j] = row.mask or false, row.compliance or false
  end
  system.scales = constraints.scales(state.chain, state.rows, k, form.inv, constraints.reach_threshold(state.single))
  return constraints.system(system, {}, scalar.zeros(#k)), k
end

-- Lambda times what the rows see less K^T D^-1 u: of u = -L^-T h, Lambda (J M^-1 h - seen).
local function force_of(system, k, inv, u, seen)
  local target = {}
  for j = 1, #k do
    target[j] = -seen[j]
    for i = 1, #u do target[j] = target[j] - (k[j][i] * inv[i]) * u[i] end
  end
  return system.solve({}, target, true)
end

function D.program(context, variant)
  local state = State.new(context, variant,
    {qd = true, gravity = true, armature = true, inertia = true, rows = "without set-points"})
  local robot, nb, n = state.robot, state.chain.nb, state.chain.nj
  local form = formulations[variant.formulation].new(robot, state.inertias, state.armature)
  local system, k = system_of(state, form)
  local m, none = #k, scalar.zeros(nb + n)
  ag.region("operational space: J M^-1 J^T", "Lambda")
  local inverse, Lambda, columns = constraints.gram(k, form.inv, {}, scalar.zeros(m)), {}, {}
  for j = 1, m do Lambda[j] = system.solve({}, unit(m, j), true) end
  ag.region("operational space: velocities and gravity", "mu")
  local gravity = state.gravity
  state.gravity = spatial.zero
  local moving = motion.accelerations(robot, spatial.zero)
  local mu = force_of(system, k, form.inv, form:free(none, state:needed_wrenches(moving)), state:seen(moving))
  state.gravity = gravity
  local resting = motion.accelerations(state:still(), -gravity)
  local p = force_of(system, k, form.inv, form:free(none, state:needed_wrenches(resting)), scalar.zeros(m))
  ag.region("operational space: M^-1 J^T Lambda", "Jbar")
  for j = 1, m do
    local e = {}
    for i = 1, nb + n do
      e[i] = 0
      for l = 1, m do e[i] = e[i] + k[l][i] * Lambda[l][j] end
    end
    columns[j] = form:accelerate(e)
    if state.base then table.move(state.base:outward(columns[j]), 1, nb, 1, columns[j]) end
  end
  local Jbar = {}
  for i = 1, nb + n do
    Jbar[i] = {}
    for j = 1, m do Jbar[i][j] = columns[j][i] end
  end
  state:put("Lambda_inv", packed(inverse))
  state:put("Lambda", packed(Lambda))
  state:put("mu", mu)
  state:put("p of rows", p)
  state:put_matrix("Jbar", Jbar, "velocities", "set_points")
  local acted = table.move(system.acted, 1, #system.acted, 1, {})
  acted[#acted + 1] = system.close or false
  state:singular(scalar.any(acted))
  state:check_positive(form.D)
  state:finish()
end

return {osim = D}
