-- SPDX-License-Identifier: MIT
-- dstep.lua: the step of semi_implicit (step.lua) with its derivatives.
--
-- With the accelerations a of the step, ID(q, v, a) + h D a + D v = tau,
--     da = (M + h D)^-1 (dtau - dID at constant a - D dv)
--     dv+ = dv + h da,    dq+ = E dq + h T dv+
-- with E and T of place_slopes.lua, 1 but for what turns. Closed loops and held frames: what closure_slopes.lua has.
-- Substeps: each multiplies the derivatives by its own.
-- Source: Featherstone, Rigid Body Dynamics Algorithms, 2008, chapter 6.

local scalar = require "scalar"
local Integrators = require "integrators"
local Closures = require "closures"
local Matrices = require "matrices"
local Forward = require "forward_derivatives"
local Places = require "places"
local Step = require("step").step
local Contacts = require "step_contacts"
local Answer = require "step_answer"
local State = require "state"
local Slopes = require "closure_slopes"
local PlaceSlopes = require "place_slopes"
local Gears = require "gears"

local plus = Matrices.plus

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
  if context.formulation and context.formulation ~= "joint" then
    return {what = "dstep is made in joint space", remedy = "leave --formulation out"}
  end
  if what then return Contacts.step_begin.refused(context) end
  return Step.refused(context)
end

function DStep.named(context) return context.layout.step.named end

-- Frames matter to contacts and held rows alone.
function DStep.frameless(context) return not Step.unilateral(context.layout) and Step.frameless(context) end

function DStep.variants(context)
  local list = {{formulation = "joint", way = "base", axes = "matrix"}}
  if #context.layout.wrenches > 0 then list[2] = {formulation = "joint", way = "wrench", axes = "chain"} end
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
  local shares = state:input {
    name = "gap_share", shape = "list", linear = "1", angular = "1",
    doc = "what the gap of each row was multiplied by in that problem", count = #rows.J, range = "%s >= 0",
    default = Matrices.ones(#rows.J),
  }
  for j, r in ipairs(R) do
    bad = scalar.lor(bad, scalar.lor(scalar.lt(r, 0), scalar.lt(shares[j], 0)))
    rows.gap[j] = shares[j] * rows.gap[j]
  end
  rows.shares = shares
  return {answer = Answer.new(state, rows, lambda, R, h), rows = rows, R = R, lambda = lambda, bad = bad}
end

-- Adds to dv what the impulses change by. by_all: {list, dq, dv} of what came in, and the loops that are closed.
-- Returns the impulses' changes, and pivots.
local function add_impulses(state, form, given, v, by_all)
  local dq, dv = by_all.dq, by_all.dv
  local rows, m, J, map, A, w = given.rows, #given.rows.J, {}, {}, {}, {}
  for j = 1, m do J[j] = Contacts.inner(state, rows.J[j]) end
  local k, loops = form:project_columns(J), by_all.loops
  for j = 1, m do
    if loops then k[j] = loops:start().free(k[j]) end
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
-- of PlaceSlopes.turns.
local function moved(list, dq, dv, h, turned)
  for _, by in ipairs(list) do dq[by] = PlaceSlopes.moved(turned, dq[by], Matrices.scale(h, dv[by])) end
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

-- The forces of held rows, and what they change by.
local function put_forces(state, all, h)
  local loops, rate, columns = all.loops, scalar.divide(1, h), nil
  state:put("nu", loops:forces(h))
  for _, by in ipairs(all.list) do
    columns = #all.pushes[by][1]
    local rows = loops:of_all(Matrices.scale(rate, all.pushes[by]), Matrices.zero(1, columns)[1])
    state:put_derivative("nu", type(by) == "table" and by.name or by, rows, type(by) == "table")
  end
end

-- A step: the place and the velocities after it, and by it dq and dv of `all`: {list, dq, dv, given, first: there is
-- none before it}, of the impulses `changes`; all.far, all.pivots and all.acted are added to. turned: as of places.lua.
local function step(here, place, v, h, all, turned)
  local form, list, dq, dv = Integrators.form(here, h), all.list, all.dq, all.dv
  local a, change = accelerations_by(here, form)
  table.move(form.D, 1, #form.D, #all.pivots + 1, all.pivots)
  v = Integrators.plus(v, h, a)
  all.loops = Closures.new(here, place, form)
  local loops, began = all.loops, {}
  for _, by in ipairs(list) do began[by] = dq[by] end
  ag.region("derivatives of the step", "step")
  accelerated(list, dq, dv, change, h, all.first)
  if loops then
    v = loops:allowed(loops:start(), here, v)
    all.pushes = Slopes.allowed(loops, loops.solved[1], all, began, all.forces)
  end
  if all.given then
    local D
    all.changes, D = add_impulses(here, form, all.given, v, all)
    table.move(D, 1, #D, #all.pivots + 1, all.pivots)
  end
  local d, beyond = {}, nil
  for c = 1, #v do d[c] = h * v[c] end
  place, beyond = Places.moved(here, place, d, turned or loops ~= nil)
  all.far = scalar.lor(all.far, beyond)
  moved(list, dq, dv, h, PlaceSlopes.turns(here.chain, d))
  if loops then
    place, v = loops:closed(place, v)
    Slopes.closed(loops, all, began)
    table.move(loops.acted, 1, #loops.acted, #all.acted + 1, all.acted)
  end
  return place, v
end

function DStep.program(context, variant)
  local state = State.new(context, variant, Step.needs)
  local layout_step = context.layout.step
  Places.read(state)
  local h, bad = Step.read_period(state, layout_step)
  local place, v = Places.given(state)
  local list = {"q", "qd", "tau"}
  for _, w in ipairs(state.wrenches) do list[#list + 1] = w end
  local unit = Matrices.unit(#v)
  local all = {list = list, dq = {q = unit}, dv = {qd = unit}, far = false, pivots = {}, acted = {}}
  all.given = answer_of(state, place, h)
  all.forces = not all.given and layout_step.substeps == 1
  if all.given then bad = scalar.lor(bad, all.given.bad) end
  for k = 1, layout_step.substeps do
    all.first = k == 1
    local here = k == 1 and state or Places.state(state, place, v)
    place, v = step(here, place, v, h, all, k < layout_step.substeps)
  end
  Places.put(state, place, v)
  put(state, list, all.dq, all.dv, all.given, all.changes)
  if all.forces and all.loops then put_forces(state, all, h) end
  if #all.acted > 0 then state:status("SINGULAR", scalar.any(all.acted)) end
  state:check_positive(all.pivots)
  state:finish(scalar.lor(bad, all.far))
end

return {dstep = DStep}
