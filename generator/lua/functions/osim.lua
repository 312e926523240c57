-- SPDX-License-Identifier: MIT
-- osim.lua: the layout's rows as an operational space: how the robot feels along them,
--   Lambda x-ddot + mu + p = F,   tau = J^T F
--   Lambda^-1 = J M^-1 J^T,   mu = Lambda (J M^-1 C v - J-dot v),   p = Lambda J M^-1 g
-- On a base that is given an acceleration, g holds the robot still where it is carried, and p is less Lambda times
-- what the rows see of that acceleration: x-ddot is that of the world.
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
local Matrices = require "matrices"
local Achd = require "achd"
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

-- Lambda times what the rows see less K^T D^-1 u: of u = -L^-T h, Lambda (J M^-1 h - seen). scaled: K^T D^-1 by row.
local function force_of(system, scaled, u, seen)
  local target = {}
  for j, row in ipairs(scaled) do
    target[j] = -seen[j]
    for i = 1, #u do target[j] = target[j] - row[i] * u[i] end
  end
  return system.solve({}, target, true)
end

function D.program(context, variant)
  local state = State.new(context, variant,
    {qd = true, gravity = true, armature = true, inertia = true, rows = "without set-points", root = true})
  local robot, nb, n = state.robot, state.chain.nb, state.chain.nj
  local form = formulations[variant.formulation].new(robot, state.inertias, state.armature)
  local k = variant.formulation == "joint" and form:project_columns(state:jacobian()) or state:project_rows(form)
  local m, none = #k, scalar.zeros(nb + n)
  local system = Achd.steps.system_of(state, state.rows, {k = k, inv = form.inv, plain = true}, {}, scalar.zeros(m))
  ag.region("operational space: J M^-1 J^T", "Lambda")
  local inverse, scaled = constraints.gram(k, form.inv, {}, scalar.zeros(m))
  local Lambda, columns = {}, {}
  for j, unit in ipairs(Matrices.unit(m)) do Lambda[j] = system.solve({}, unit, true) end
  ag.region("operational space: velocities and gravity", "mu")
  local gravity = state.gravity
  state.gravity = spatial.zero
  local moving = motion.accelerations(robot, spatial.zero)
  local mu = force_of(system, scaled, form:free(none, state:needed_wrenches(moving)), state:seen(moving))
  state.gravity = gravity
  local resting = motion.accelerations(state:still(), -gravity, nil, state.root)
  local carried = state.root and state:seen(resting, nil, nil, true) or scalar.zeros(m)
  local p = force_of(system, scaled, form:free(none, state:needed_wrenches(resting)), carried)
  ag.region("operational space: M^-1 J^T Lambda", "Jbar")
  for j, nu in ipairs(Matrices.transpose(Lambda)) do columns[j] = form:accelerate(Achd.steps.plus_rows(none, k, nu)) end
  local Jbar = Matrices.outward(state, Matrices.transpose(columns), true, false)
  state:put("Lambda_inv", Matrices.packed(inverse))
  state:put("Lambda", Matrices.packed(Lambda))
  state:put("mu", mu)
  state:put("p of rows", p)
  state:put_matrix("Jbar", Jbar, "velocities", "set_points")
  state:singular(system.singular)
  state:check_positive(form.D)
  state:finish()
end

return {osim = D}
