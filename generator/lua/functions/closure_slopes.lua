-- SPDX-License-Identifier: MIT
-- closure_slopes.lua: how a step that holds rows (closures.lua) changes with the state, for dstep.
--
-- Each solve of closures.lua is, with M^ = M + h D at the beginning of the step and J at the place that it has come to,
--     M^ e = J^T lambda,   J e = t,   t = -r or -J v
-- along the base's own axes. By small changes, with W, Q and G the answer of these equations (implicit.lua),
--     de = W (d(J^T lambda) - dM^ e) + Q (dt - dJ e)
-- along the axes of the world w x e more, and in dt and dJ, where the base turns by w there. So each projection and
-- each of Newton's steps is differentiated as it is computed, however far it is from converged.
--
-- Rows see a chain of joints that ends at their frame. Of the unit motion {z, l} of joint i there, and of joint j,
--     dl_i/dq_j = z_j x l_i,  dz_i/dq_j = z_j x z_i   where j carries i, or is i
--     dl_i/dq_j = z_i x l_j,  dz_i/dq_j = 0           where i carries j
-- The axes of a ball turn with its child, so each of the three carries the others where the child comes later in the
-- chain; the axes about which a base turns stay, so that none of them carries another.

local scalar = require "scalar"
local spatial = require "spatial"
local motion = require "motion"
local Derivatives = require "derivatives"
local RowDerivatives = require "row_derivatives"
local Matrices = require "matrices"
local Implicit = require "implicit"
local Closures = require "closures"
local PlaceSlopes = require "place_slopes"
local Held = require "held_frames"
local Tie = require "ties"

local Slopes = {}

local cross, along = spatial.cross, Closures.along

-- The joints from the world to a frame, the freedoms of a base first, along the axes of the world.
local function chain_of_frame(state, frame)
  local robot, chain, poses, list = state.robot, state.chain, state:body_poses(), {}
  local P = poses[frame.body].p + poses[frame.body].R * frame.p
  for c, s in ipairs(motion.base_freedoms(chain.nb)) do
    local slides = spatial.is_zero(s.w)
    list[c] = {c = c, ratio = 1, z = s.w, l = s.v + cross(s.w, P), prismatic = slides, as_one = not slides and "base",
      stands = true}
  end
  local way = motion.way(robot, frame.body, 0)
  for k = #way, 1, -1 do
    local i = way[k]
    local b, z = robot.bodies[i], spatial.column(poses[i].R, 3)
    list[#list + 1] = {
      c = chain.nb + chain.joint_of[i], ratio = chain.ratio[i], z = z, prismatic = b.prismatic,
      l = b.prismatic and z or cross(z, P - poses[i].p), as_one = b.ball and i - b.ball,
    }
  end
  return list
end

-- The joints from a tie's {frame} to its {to}, along the axes of {frame}'s body.
local function chain_of_tie(state, tie)
  local robot, chain, none, list = state.robot, state.chain, {}, {}
  for i = 1, robot.n do none[i] = 0 end
  for k, j in ipairs(RowDerivatives.chain_of_tie(robot, tie, none)) do
    list[k] = {
      c = chain.nb + chain.joint_of[j.body], ratio = chain.ratio[j.body], z = j.z, l = j.l, prismatic = j.prismatic,
      as_one = j.as_one, stands = j.stands,
    }
  end
  return list
end

-- What the unit motion of joint i of a chain changes by, per change of joint j: {lin, ang}.
local function moved(list, i, j)
  local a, b = list[i], list[j]
  if not RowDerivatives.carries(list, j, i) then
    return {lin = a.prismatic and spatial.zero or cross(a.z, b.l), ang = spatial.zero}
  elseif b.prismatic then
    return {lin = spatial.zero, ang = spatial.zero}
  end
  return {lin = cross(b.z, a.l), ang = a.prismatic and spatial.zero or cross(b.z, a.z)}
end

-- The sum over the joints of a chain of unit motions, given by index, times their rates.
local function sum_of(list, rates, unit)
  local lin, ang = spatial.zero, spatial.zero
  for i, a in ipairs(list) do
    local rate, x = a.ratio * rates[a.c], unit(i, a)
    lin, ang = lin + rate * x.lin, ang + rate * x.ang
  end
  return {lin = lin, ang = ang}
end

local function own(_, a) return {lin = a.l, ang = a.prismatic and spatial.zero or a.z} end

-- A group's rows as {axis, part}, its chain, that at the beginning of the step, and by which of the two axes turn.
local function seen_by(part, state)
  if part.tie then
    local rows = {}
    for k, name in ipairs(part.group.rows) do
      local linear = name:match("^lin")
      rows[k] = {axis = spatial.column(part.tie.frame.R, Tie.axis_of[name]), part = linear and "lin" or "ang"}
    end
    return {rows = rows, chain = chain_of_tie(state, part.tie)}
  end
  return {
    rows = part.along, chain = chain_of_frame(state, part.group.frame),
    start = chain_of_frame(part.held.state, part.group.frame),
    turning = part.group.axes == "link" and (part.moved and "chain" or "start") or nil,
  }
end

-- The force and the moment of rows at lambda, whose first is at + 1.
local function force_of(g, lambda, at)
  local force = {lin = spatial.zero, ang = spatial.zero}
  for k, row in ipairs(g.rows) do force[row.part] = force[row.part] + lambda[at + k] * row.axis end
  return force
end

-- Adds to X and X_start d(J^T lambda) by coordinate of the place and of the beginning of the step.
local function add_forces(g, force, X, X_start)
  for i, a in ipairs(g.chain) do
    for j, b in ipairs(g.chain) do
      local unit = moved(g.chain, i, j)
      local x = spatial.dot(unit.lin, force.lin) + spatial.dot(unit.ang, force.ang)
      X[a.c][b.c] = X[a.c][b.c] + a.ratio * b.ratio * x
    end
    for _, b in ipairs(g[g.turning] or {}) do
      if not b.prismatic then
        local unit, to = own(i, a), g.turning == "start" and X_start or X
        local x = spatial.dot(unit.lin, cross(b.z, force.lin)) + spatial.dot(unit.ang, cross(b.z, force.ang))
        to[a.c][b.c] = to[a.c][b.c] + a.ratio * b.ratio * x
      end
    end
  end
end

-- Takes from rows of Y and Y_start what they see of velocities v change by: d(J v) at constant v.
local function take_velocities(g, v, Y, Y_start, at)
  local whole = sum_of(g.chain, v, own)
  for j, b in ipairs(g.chain) do
    local change = sum_of(g.chain, v, function(i) return moved(g.chain, i, j) end)
    for k, row in ipairs(g.rows) do
      Y[at + k][b.c] = Y[at + k][b.c] - b.ratio * spatial.dot(row.axis, change[row.part])
    end
  end
  for _, b in ipairs(g[g.turning] or {}) do
    for k, row in ipairs(b.prismatic and {} or g.rows) do
      local to = g.turning == "start" and Y_start or Y
      to[at + k][b.c] = to[at + k][b.c] - b.ratio * spatial.dot(cross(b.z, row.axis), whole[row.part])
    end
  end
end

-- Takes from rows of Y and Y_start what residuals change by.
local function take_residuals(g, part, Y, Y_start, at)
  local function take(to, b, values)
    for k, x in ipairs(values) do to[at + k][b.c] = to[at + k][b.c] - b.ratio * x end
  end
  local function turned(b, R)
    return b.prismatic and spatial.matrix {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}} or spatial.cross_matrix(b.z) * R
  end
  for _, b in ipairs(part.tie and g.chain or {}) do
    local R, F = part.tie:turned() > 0 and part.tie:rotation() or nil, spatial.transpose(part.tie.frame.R)
    local a = {z = F * b.z, prismatic = b.prismatic}
    take(Y, b, part.tie:readings(F * b.l, R and turned(a, R)))
  end
  if part.tie then return end
  local read, back = {lin = part.away, ang = Held.vee(part.turn)}, spatial.transpose(part.turn)
  for _, b in ipairs(g.chain) do -- [z] R R_0^T
    local change, values = {lin = b.l, ang = Held.vee(turned(b, part.turn))}, {}
    for k, row in ipairs(g.rows) do values[k] = spatial.dot(row.axis, change[row.part]) end
    take(Y, b, values)
  end
  for _, b in ipairs(g.start) do -- R R_0^T [z]^T, which is ([z] R_0 R^T)^T
    local change, values = {lin = -b.l, ang = -Held.vee(turned(b, back))}, {}
    for k, row in ipairs(g.rows) do
      values[k] = spatial.dot(row.axis, change[row.part])
      if g.turning and not b.prismatic then
        values[k] = values[k] + spatial.dot(cross(b.z, row.axis), read[row.part])
      end
    end
    take(Y_start, b, values)
  end
end

-- dM^ e by positions of joints at the beginning of the step; e along the base's own axes.
local function inertia_slopes(state, e)
  local still = state:still()
  local motions = motion.accelerations(still, {0, 0, 0}, e)
  return Derivatives.of_forces(still, {
    inertias = state.inertias, motions = motions, twists = Derivatives.twists(still),
    wrenches = state:inertial_wrenches(motions), held = {},
  }, "joints").q
end

-- The columns of X, along the base's own axes.
local function inward(state, X)
  local columns = Matrices.transpose(X)
  for c, column in ipairs(columns) do columns[c] = along(state, column, "inward") end
  return Matrices.transpose(columns)
end

-- w x the base part of x by coordinate, and nothing of its joints. w: of a freedom of the base.
local function base_turned(nb, w, x)
  local m = motion.base_motion(nb, x)
  local r = motion.along_base(nb, {f = cross(w, m.v), n = cross(w, m.w)})
  for c = nb + 1, #x do r[c] = 0 end
  return r
end

-- How the e of a solve (closures.lua) changes, matrices along the axes of the world: by positions at its place `here`,
-- at the beginning of the step `start`, and, where it is one of velocities, by these: `velocities`. lambda: a function
-- that gives the same of lambda.
local function slopes_of(loops, solved)
  local at, e = solved.at, solved.e
  local state, n, m, nb, row = at.state, #e, #at.J, at.state.chain.nb, 0
  local X, X_start, Y, Y_start = Matrices.zero(n), Matrices.zero(n), Matrices.zero(m, n), Matrices.zero(m, n)
  ag.region("held rows: how they change", "held")
  for _, part in ipairs(at.parts) do
    local g = seen_by(part, state)
    add_forces(g, force_of(g, solved.lambda, row), X, X_start)
    take_velocities(g, solved.velocities or e, Y, Y_start, row)
    if not solved.velocities then take_residuals(g, part, Y, Y_start, row) end
    row = row + #g.rows
  end
  local force, outer = scalar.zeros(n), {}
  for j, J in ipairs(at.J) do
    outer[j] = along(state, J, "outward")
    for c = 1, n do force[c] = force[c] + outer[j][c] * solved.lambda[j] end
  end
  local turned = Matrices.zero(n)
  for c, s in ipairs(motion.base_freedoms(nb)) do
    local x, moves = base_turned(nb, s.w, force), base_turned(nb, s.w, e)
    for i = 1, n do X[i][c], turned[i][c] = X[i][c] - x[i], moves[i] end
    for j = 1, m do Y[j][c] = Y[j][c] - scalar.sum_of_products(outer[j], moves) end
  end
  local by_inertia = inertia_slopes(loops.state, along(state, e, "inward"))
  X_start = Matrices.add(inward(state, X_start), Matrices.scale(-1, by_inertia))
  X = inward(state, X)
  local answer = Implicit.answer(loops.form, at.k, at.system)
  local function e_by(x, y)
    local by = Matrices.product(answer.Q, y)
    return Matrices.outward(state, x and Matrices.add(Matrices.product(answer.W, x), by) or by, true, false)
  end
  local function lambda_by(x, y) return Implicit.forces(answer, x or Matrices.zero(n, #y[1]), y) end
  local seen = solved.velocities and Matrices.scale(-1, outer)
  return {
    here = Matrices.add(e_by(X, Y), turned), start = e_by(X_start, Y_start), velocities = seen and e_by(nil, seen),
    lambda = function()
      return {here = lambda_by(X, Y), start = lambda_by(X_start, Y_start), velocities = seen and lambda_by(nil, seen)}
    end,
  }
end

-- A by B; nil: zero.
local function product(A, B) return B and Matrices.product(A, B) end

-- all: {list, dq, dv}: what positions and velocities change by, by what of the list. dv after the velocities that rows
-- allow, at a place that changes by dq. began: dq at the beginning of the step. Returns what lambda changes by, where
-- it is asked for: forces.
function Slopes.allowed(loops, solved, all, began, forces)
  local by = slopes_of(loops, solved)
  local function sum(of, what, dv)
    local change = Matrices.plus(product(of.here, all.dq[what]), product(of.start, began[what]))
    return Matrices.plus(product(of.velocities, dv), change)
  end
  local pushes, of_lambda = {}, forces and by.lambda()
  for _, what in ipairs(all.list) do
    local dv = all.dv[what]
    pushes[what] = forces and sum(of_lambda, what, dv)
    all.dv[what] = Matrices.plus(dv, sum(by, what, dv))
  end
  return pushes
end

-- dq and dv after Closures:closed, the first solve of which is the second of all.
function Slopes.closed(loops, all, began)
  local chain, last = loops.state.chain, #loops.solved
  local X, Y = nil, nil -- dq = X dq + Y began
  for k = 2, last - 1 do
    local solved = loops.solved[k]
    local by, turned = slopes_of(loops, solved), PlaceSlopes.turns(chain, solved.e)
    X = X or Matrices.unit(#solved.e)
    Y = PlaceSlopes.moved(turned, Y, Matrices.plus(product(by.here, Y), by.start))
    X = PlaceSlopes.moved(turned, X, Matrices.product(by.here, X))
  end
  for _, what in ipairs(all.list) do
    all.dq[what] = Matrices.plus(product(X, all.dq[what]), product(Y, began[what]))
  end
  Slopes.allowed(loops, loops.solved[last], all, began)
end

return Slopes
