-- SPDX-License-Identifier: MIT
-- loop_derivatives.lua: how the forces of inverse dynamics change with position and velocity where linkages make joints
-- depend on others.
--
-- With y the joints of all bodies, y' = G qd, y'' = G qdd + c, and t(y, y', y'') their forces, tau = G^T t:
--   dtau/dq_k  = G^T (dt/dy G_k + dt/dy' V_k + M A_k) + (dG/dq_k)^T t,   V_k = dG/dq_k qd,  A_k = dG/dq_k qdd + dc/dq_k
--   dtau/dqd_k = G^T (dt/dy' G_k + M B_k),   B_k = dc/dqd_k
-- Dependent joints move by P as q_k does, and what J_d P = -J_i and J_d c = -J' qd (linkages.lua) hold stays so:
--   J_d dP/dq_k = -(dJ_i/dq_k + dJ_d/dq_k P),   J_d dc/dq_k = -(d(J' qd)/dq_k + dJ_d/dq_k c),
--   J_d dc/dqd_k = -d(J' qd)/dqd_k
-- The derivatives on the right are those of the scripts of ties and rods, by dual numbers (dual.lua).

local motion = require "motion"
local scalar = require "scalar"
local Derivatives = require "derivatives"
local Dual = require "dual"
local Joint = require "joint"
local Linkages = require "linkages"

local LoopDerivatives = {}

-- at: {q, c, s, qd by body}; with rates of positions and velocities, by body; a missing one is zero.
local function changing(s, at, positions, velocities)
  local moved = {q = {}, c = {}, s = {}, qd = {}}
  for i in pairs(s.bodies) do
    local x, v = positions[i] or 0, velocities[i] or 0
    moved.q[i] = Dual.of(at.q[i], s.chain.bodies[i].prismatic and x or 0)
    if not s.chain.bodies[i].prismatic then
      moved.c[i], moved.s[i] = Dual.of(at.c[i], -(at.s[i] * x)), Dual.of(at.s[i], at.c[i] * x)
    end
    moved.qd[i] = Dual.of(at.qd[i], v)
  end
  return moved
end

-- How much J by row and a list of bodies changes.
local function change_of(J, bodies)
  local list = {}
  for k, row in ipairs(J) do
    list[k] = {}
    for a, i in ipairs(bodies) do list[k][a] = Dual.rate(row[i]) end
  end
  return list
end

local function drift_changes(s, at)
  local list = {}
  for k, x in ipairs(Linkages.drift_rows(s, at)) do list[k] = Dual.rate(x) end
  return list
end

local function negative(x)
  local list = {}
  for k, y in ipairs(x) do list[k] = -y end
  return list
end

-- Of a linkage by its k-th independent joint: {joint, P: change of the ratios, V, A, B: by dependent joint}.
-- at: {q, c, s, qd by body}; rates: accelerations of bodies' joints; drift: those that velocities alone cause.
local function by_joint(s, at, k, rates, drift)
  local l, moves, V, A = s.l, {}, {}, {}
  for a, i in ipairs(l.dependent) do moves[i] = s.P[a][k] end
  moves[l.independent[k]] = 1
  ag.region("linkage " .. l.name .. ": how it changes", l.name)
  local J = Linkages.rows(s, changing(s, at, moves, {}))
  local of_dependent, of_independent, P = change_of(J, l.dependent), change_of(J, l.independent), {}
  for b in ipairs(l.independent) do
    local right = {}
    for r, row in ipairs(of_dependent) do
      right[r] = -of_independent[r][b]
      for a, x in ipairs(row) do right[r] = right[r] - x * s.P[a][b] end
    end
    P[b] = Linkages.dependent(s, right)
  end
  local velocities = {}
  for a, i in ipairs(l.dependent) do
    V[a], A[a] = 0, 0
    for b, body in ipairs(l.independent) do
      V[a], A[a] = V[a] + P[b][a] * at.qd[body], A[a] + P[b][a] * rates[body]
    end
    velocities[i] = V[a]
  end
  local right = negative(drift_changes(s, changing(s, at, moves, velocities)))
  for r, row in ipairs(of_dependent) do
    for a, i in ipairs(l.dependent) do right[r] = right[r] - row[a] * drift[i] end
  end
  for a, x in ipairs(Linkages.dependent(s, right)) do A[a] = A[a] + x end
  local B = Linkages.dependent(s, negative(drift_changes(s, changing(s, at, {}, moves))))
  return {joint = s.chain.joint_of[l.independent[k]], l = l, P = P, V = V, A = A, B = B}
end

-- By coordinate what its rate moves: {[coordinate of all bodies' joints] = ratio}.
local function columns_of(robot)
  local nb, columns = robot.nb, {}
  for c = 1, nb do columns[c] = {[c] = 1} end
  for j = 1, robot.chain.nj do columns[nb + j] = {} end
  for i = 1, robot.n do
    for _, m in ipairs(motion.moves(robot.chain, i)) do columns[nb + m.joint][nb + i] = m.ratio end
  end
  return columns
end

-- Adds to y M x, x by coordinate of all bodies' joints.
local function add_product(y, M, x)
  for i = 1, #y do
    for j = 1, #M do
      if x[j] and not scalar.is_zero(x[j]) then y[i] = y[i] + M[i][j] * x[j] end
    end
  end
end

local function spread(nb, l, values, into)
  for a, i in ipairs(l.dependent) do into[nb + i] = (into[nb + i] or 0) + values[a] end
  return into
end

local function full_of(mass)
  for i = 1, #mass do
    for j = i + 1, #mass do mass[i][j] = mass[j][i] end
  end
  return mass
end

-- Derivatives by q and qd of the forces, by coordinate, that a motion takes less the given wrenches: {q, qd}, matrices
-- [of][by]. state: with loops and place, of close_linkages; held: of Derivatives.held.
function LoopDerivatives.of_motion(state, motions, held)
  local robot, nb, changes = state.robot, state.chain.nb, {} -- by coordinate
  for c = 1, nb + state.chain.nj do changes[c] = {} end
  for _, s in ipairs(state.loops) do
    for k in ipairs(s.l.independent) do
      local change = by_joint(s, state.place, k, motions.rates, state.chain.drift)
      table.insert(changes[nb + change.joint], change)
    end
  end
  local tree = setmetatable({chain = Linkages.tree_of(robot.chain)}, {__index = robot})
  local wrenches = state:needed_wrenches(motions)
  local by = Derivatives.of_forces(tree, {
    inertias = state.inertias, motions = motions, twists = Derivatives.twists(robot), wrenches = wrenches, held = held,
  })
  local forces = motion.joint_forces(tree, wrenches)
  local mass = full_of(Joint.mass_matrix(tree, state.inertias))
  ag.region("derivatives: joints that depend on others", "dependent")
  local columns, list = columns_of(robot), {q = {}, qd = {}}
  for r = 1, #columns do list.q[r], list.qd[r] = {}, {} end
  for c, column in ipairs(columns) do
    local V, A, B, y = {}, {}, {}, {q = scalar.zeros(#mass), qd = scalar.zeros(#mass)}
    for _, change in ipairs(changes[c]) do
      spread(nb, change.l, change.V, V)
      spread(nb, change.l, change.A, A)
      spread(nb, change.l, change.B, B)
    end
    for _, part in ipairs {{by.q, column}, {by.qd, V}, {mass, A}} do add_product(y.q, part[1], part[2]) end
    for _, part in ipairs {{by.qd, column}, {mass, B}} do add_product(y.qd, part[1], part[2]) end
    for r, row in ipairs(columns) do
      for _, x in ipairs {"q", "qd"} do
        list[x][r][c] = 0
        for i = 1, #mass do
          if row[i] then list[x][r][c] = list[x][r][c] + row[i] * y[x][i] end
        end
      end
    end
    for _, change in ipairs(changes[c]) do
      for b, body in ipairs(change.l.independent) do
        local r = nb + robot.chain.joint_of[body]
        for a, i in ipairs(change.l.dependent) do list.q[r][c] = list.q[r][c] + change.P[b][a] * forces[nb + i] end
      end
    end
  end
  return list
end

return LoopDerivatives
