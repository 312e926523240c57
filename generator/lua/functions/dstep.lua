-- SPDX-License-Identifier: MIT
-- dstep.lua: the step of semi_implicit (step.lua) with its derivatives.
--
-- With the accelerations a of the step, ID(q, v, a) + h D a + D v = tau,
--     da = (M + h D)^-1 (dtau - dID at constant a - D dv)
--     dv+ = dv + h da,    dq+ = E dq + h T dv+
-- by small changes dq of positions: a floating base moves and turns along the axes of the world, exp(dq) R. E and T are
-- 1 but for such a turn, with x = h w+: E = exp(x), and T, by which exp(x + dx) turns further than exp(x), along axes
-- of the world:
--     T = 1 + [x] (1 - cos |x|) / |x|^2 + [x]^2 (|x| - sin |x|) / |x|^3
-- A ball is turned along the axes of its child, R exp(dq): of those that turn with it E^T and T^T.
-- Substeps: each multiplies the derivatives by its own.
-- Source: Featherstone, Rigid Body Dynamics Algorithms, 2008, chapter 6; Sola, Deray, Atchuthan, A micro Lie theory for
-- state estimation in robotics, 2018, for T.

local scalar = require "scalar"
local spatial = require "spatial"
local Integrators = require "integrators"
local Closures = require "closures"
local Matrices = require "matrices"
local Forward = require "forward_derivatives"
local Places = require "places"
local Step = require("step").step
local Contacts = require "step_contacts"
local Answer = require "step_answer"
local State = require "state"
local turns = require "turns"
local Base = require "moving_base"
local Gears = require "gears"

local DStep = {}

DStep.doc = "A step of a simulator and its derivatives: positions and velocities a period later, and what they " ..
  "change by per position, velocity, joint torque and wrench at the beginning of the step. Small changes of how a " ..
  "floating base is turned are turns about the axes of the world, at the beginning and at the end of the step."

function DStep.refused(context)
  local layout = context.layout
  local integrator, what = layout.step.integrator, Step.unilateral(layout)
  if integrator ~= "semi_implicit" then
    local what_else = 'dstep is for the integrator "semi_implicit", and this one is "' .. integrator .. '"'
    return {what = what_else, remedy = "leave integrator out"}
  end
  local held = Closures.groups(layout)[1]
  if held then
    return {what = 'dstep has no derivatives of steps that hold the group "' .. held.name .. '"',
      remedy = "write loops = {} in step"}
  end
  if context.formulation and context.formulation ~= "joint" then
    return {what = "dstep is made in joint space", remedy = "leave --formulation out"}
  end
  if what then return Contacts.step_begin.refused(context) end
  return Step.refused(context)
end

function DStep.named(context) return context.layout.step.named end

-- Frames matter to contacts alone.
function DStep.frameless(context) return not Step.unilateral(context.layout) end

function DStep.variants(context)
  local list = {{formulation = "joint", way = "base", axes = "matrix"}}
  if #context.layout.wrenches > 0 then list[2] = {formulation = "joint", way = "wrench", axes = "chain"} end
  return list
end

-- x as the matrix [x] of x cross.
local function cross_matrix(x)
  return spatial.matrix {{0, -x[3], x[2]}, {x[3], 0, -x[1]}, {-x[2], x[1], 0}}
end

-- E and T of the turn x.
local function turn_parts(x)
  local turn = turns.quaternion(x)
  local across = cross_matrix(x)
  local twice, T = across * across, {}
  local linear, square = turns.by_vector(spatial.dot(x, x))
  for i = 1, 3 do
    T[i] = {}
    for j = 1, 3 do T[i][j] = (i == j and 1 or 0) + linear * across[i][j] + square * twice[i][j] end
  end
  return Base.rotation_of(turn), T
end

-- The rows of X, which has one by velocity, from `first` on multiplied by R.
local function turn_rows(R, X, first)
  local Y = table.move(X, 1, #X, 1, {})
  for i = 1, 3 do
    local row = {}
    for j = 1, #X[1] do
      row[j] = R[i][1] * X[first][j] + R[i][2] * X[first + 1][j] + R[i][3] * X[first + 2][j]
    end
    Y[first + i - 1] = row
  end
  return Y
end

-- What turns by the step d: {first: of three velocities, E, T}.
local function turns_of(chain, d)
  local list = {}
  if chain.nb == 6 then
    local E, T = turn_parts(spatial.vector {d[4], d[5], d[6]})
    list[1] = {first = 4, E = E, T = T}
  end
  for _, ball in ipairs(chain.balls) do
    local E, T = turn_parts(Places.of_ball(chain, ball.body, d))
    list[#list + 1] = {first = chain.nb + chain.joint_of[ball.body], E = spatial.transpose(E),
      T = spatial.transpose(T)}
  end
  return list
end

-- Of one step: accelerations a along the axes of the world, and what they change by: {q, qd, tau, [wrench]}.
local function accelerations_by(state, form)
  local free = Forward.free(state, form, true)
  local vdot, nb = free.vdot, state.chain.nb
  ag.region("inverse of the joint-space inertia", "inverse")
  local inverse, solve = Matrices.inverse(state.robot, form.factor)
  local motions = Forward.motions(state, free)
  local forces = Forward.of_motion(state, motions, free.qd and "joints")
  local qd = {}
  for i, row in ipairs(free.qd or forces.qd) do qd[i] = table.move(row, 1, #row, 1, {}) end
  Gears.onto_full(qd, nb, 1, state.viscous)
  local change = {
    q = Matrices.outward(state, solve(forces.q, -1), true, true),
    qd = Matrices.outward(state, solve(qd, -1), true, true),
  }
  if free.qd then Forward.turn_base(state, solve, vdot, change) end
  change.tau = Matrices.outward(state, Matrices.of_joints(state, inverse), true, false)
  for _, w in ipairs(state.wrenches) do
    if w.impulse then break end -- they come last
    change[w] = Matrices.outward(state, solve(Matrices.wrench_columns(state, w), 1), true, false)
  end
  local a = table.move(vdot, 1, #vdot, 1, {})
  if state.base then
    table.move(state.base:outward(vdot), 1, nb, 1, a)
    for k, g in ipairs(free.gravity or {}) do a[k] = a[k] + g end
  end
  return a, change
end

-- a + b, nil: zero.
local function plus(a, b)
  if not a or not b then return a or b end
  return Matrices.add(a, b)
end

-- The impulses of a layout's contacts, limits and dry friction as they came in: {answer, rows, bad}, or nil.
local function answer_of(state, place, h)
  if not Step.unilateral(state.layout) then return nil end
  local contacts, bad = Contacts.read(state)
  local rows = Contacts.rows_of(state, place, contacts, h)
  local lambda = Contacts.read_lambda(state, #rows.J)
  local R = state:input {
    name = "R", shape = "list", linear = "1/kg", angular = "1/(kg m^2)",
    doc = "regularisation of each row in the problem for achd_contact_solve; 0: none", count = #rows.J,
    range = "%s >= 0",
  }
  for _, r in ipairs(R) do bad = scalar.lor(bad, scalar.lt(r, 0)) end
  return {answer = Answer.new(state, rows, lambda, R, h), rows = rows, R = R, lambda = lambda, bad = bad}
end

-- Adds to dv what the impulses change by. by_all: {list, dq, dv} of what came in. Returns the impulses' changes, and
-- pivots.
local function add_impulses(state, form, given, v, by_all)
  local dq, dv = by_all.dq, by_all.dv
  local rows, m, J, map, A, w = given.rows, #given.rows.J, {}, {}, {}, {}
  for j = 1, m do J[j] = Contacts.inner(state, rows.J[j]) end
  local k = form:project_columns(J)
  for j = 1, m do
    A[j] = 0
    for c = 1, form.n do A[j] = A[j] + k[j][c] * form.inv[c] * k[j][c] end
    w[j] = scalar.sum_of_products(rows.J[j], v) + rows.gap[j] + given.R[j] * given.lambda[j]
  end
  local answer, changes = given.answer, {}
  local D = answer:system(k, form.inv, A, w)
  for j = 1, m do
    map[j] = form:accelerate(answer.K[j])
    if state.base then table.move(state.base:outward(map[j]), 1, state.chain.nb, 1, map[j]) end
  end
  local slopes, along = answer:slopes(v), Matrices.transpose(map)
  for _, by in ipairs(by_all.list) do
    local of = dv[by]
    local y = Matrices.product(rows.J, of)
    if dq[by] then y = Matrices.add(y, Matrices.product(slopes, dq[by])) end
    local x = answer:solve(y)
    dv[by] = Matrices.add(of, Matrices.product(along, x))
    changes[by] = answer:impulses(x)
  end
  return changes, D
end

-- dq and dv: of positions and of velocities at the end of the step, by what came in; by: of `list`; nil: zero. turned:
-- of turns_of.
local function moved(list, dq, dv, h, turned)
  for _, by in ipairs(list) do
    local shift, before = Matrices.scale(h, dv[by]), dq[by]
    for _, turn in ipairs(turned) do
      shift = turn_rows(turn.T, shift, turn.first)
      before = before and turn_rows(turn.E, before, turn.first)
    end
    dq[by] = plus(before, shift)
  end
end

-- dv after a substep whose accelerations change by `change`.
local function accelerated(list, dq, dv, change, h, first)
  for _, by in ipairs(list) do
    local da = change[by]
    if not first then
      local own = by ~= "q" and by ~= "qd" and da or nil
      local by_q = dq[by] and Matrices.product(change.q, dq[by])
      local by_qd = dv[by] and Matrices.product(change.qd, dv[by])
      da = plus(plus(by_q, by_qd), own)
    end
    dv[by] = plus(dv[by], Matrices.scale(h, da))
  end
end

local function put(state, list, dq, dv, given, changes)
  if given then
    local any = next(given.rows.joints)
    Contacts.put_forces(state, given.answer.forces, any and given.answer.torques)
  end
  for _, by in ipairs(list) do
    local wrench = type(by) == "table"
    local name = wrench and by.name or by
    state:put_derivative("q_next", name, dq[by], wrench)
    state:put_derivative("qd_next", name, dv[by], wrench)
    if given then state:put_impulses_by(name, changes[by], wrench) end
  end
end

function DStep.program(context, variant)
  local state = State.new(context, variant, Step.needs)
  local step = context.layout.step
  Places.read(state)
  local h, bad = Step.read_period(state, step)
  local here, far, pivots = state, false, {}
  local place, v = Places.given(state)
  local n, list = #v, {"q", "qd", "tau"}
  for _, w in ipairs(state.wrenches) do list[#list + 1] = w end
  local given, changes = answer_of(state, place, h), nil
  if given then bad = scalar.lor(bad, given.bad) end
  local dq, dv = {q = Matrices.unit(n)}, {qd = Matrices.unit(n)}
  for k = 1, step.substeps do
    if k > 1 then here = Places.state(state, place, v) end
    local form = Integrators.form(here, h)
    local a, change = accelerations_by(here, form)
    v = Integrators.plus(v, h, a)
    table.move(form.D, 1, #form.D, #pivots + 1, pivots)
    local d, beyond = {}, nil
    for c = 1, n do d[c] = h * v[c] end
    place, beyond = Places.moved(here, place, d, k < step.substeps)
    far = scalar.lor(far, beyond)
    ag.region("derivatives of the step", "step")
    accelerated(list, dq, dv, change, h, k == 1)
    if given then
      local D
      changes, D = add_impulses(here, form, given, v, {list = list, dq = dq, dv = dv})
      table.move(D, 1, #D, #pivots + 1, pivots)
    end
    moved(list, dq, dv, h, turns_of(state.chain, d))
  end
  Places.put(state, place, v)
  put(state, list, dq, dv, given, changes)
  state:check_positive(pivots)
  state:finish(scalar.lor(bad, far))
end

return {dstep = DStep}
