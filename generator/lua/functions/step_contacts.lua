-- SPDX-License-Identifier: MIT
-- step_contacts.lua: a step of a simulator with what pushes on one side or up to a bound: contacts, limits and dry
-- friction of joints. Two functions around the solver of the runtime library (achd/contact.h):
--
--   step_begin:  v* = v + h (M + h D)^-1 f,   b = J v*,   A = J (M + h D)^-1 J^T,   gaps divided by h
--   step_end:    v+ = v* + (M + h D)^-1 J^T lambda,   q+ = q (+) h v+,   forces lambda / h
-- Closed loops and frames that are held: v* is what they allow, and (M + h D)^-1 stands for W_c of closures.lua; at q+
-- step_end closes them.
-- Rows: of each contact its normal and two tangents, of each limit one, of each joint with dry friction one. lambda is
-- the minimum of 1/2 lambda^T A lambda + lambda^T (b + gap) in cones and bounds.
-- Source: Anitescu, Optimization-based simulation of nonsmooth rigid multibody dynamics, Mathematical Programming 105
-- (2006).

local scalar = require "scalar"
local spatial = require "spatial"
local Family = require "family"
local Integrators = require "integrators"
local Closures = require "closures"
local Places = require "places"
local Step = require("step").step
local State = require "state"
local Factor = require "factor"
local Base = require "moving_base"
local formulations = require "formulations"

local Begin, End = {}, {}

Begin.doc = "The beginning of a step of a simulator with contacts, limits or dry friction of joints. Velocities " ..
  "without their impulses come of all other forces at the beginning of the step, with viscous friction at its end. " ..
  "Each contact has three rows, its normal and two tangents, each limit and each joint with dry friction one. A " ..
  "is how an impulse along one row changes the velocity along another, b these velocities without impulses, and gap " ..
  "the distances left, divided by the period. achd_contact_solve finds the impulses in cones and bounds that make " ..
  "1/2 lambda^T A lambda + lambda^T (b + gap) least, and step_end makes the step with them."
End.doc = "The end of a step of a simulator: positions, velocities and contact forces for the impulses lambda that " ..
  "achd_contact_solve found."

-- A unit vector n and two across it, without a branch: Duff and others, Building an orthonormal basis, revisited,
-- Journal of Computer Graphics Techniques 6 (2017).
local function axes_of(n)
  local s = scalar.select(scalar.lt(n[3], 0), -1, 1)
  local a = scalar.divide(-1, 1) / (s + n[3])
  local b = n[1] * n[2] * a
  return {n, spatial.vector {1 + s * n[1] * n[1] * a, s * b, -(s * n[1])},
    spatial.vector {b, s + n[2] * n[2] * a, -n[2]}}
end

-- What comes in of a contact: the half-space n . x >= distance of the world, and its friction. Second result: a
-- condition: it is none.
local function read_contact(state, c)
  local prefix, world = "contact." .. c.name .. ".", state.base and "world" or "base"
  local n = spatial.vector(state:input {
    name = prefix .. "normal", shape = "vector", linear = "1", angular = "1",
    doc = "normal of the surface at " .. c.name .. ", away from it, axes of the " .. world,
    range = "norm of %s 1 within 1e-6", default = {0, 0, 1},
  })
  local distance = state:input {
    name = prefix .. "distance", shape = "scalar", linear = "m", angular = "m",
    doc = "distance of the surface from the origin of the " .. world .. ", along its normal",
  }[1]
  local mu = state:input {
    name = prefix .. "friction", shape = "scalar", linear = "1", angular = "1",
    doc = "coefficient of friction at " .. c.name, range = "%s >= 0",
  }[1]
  local off = scalar.limit(scalar.beyond(spatial.dot(n, n) - 1, 2e-6), 2e-6, "norm_error",
    "of a squared norm: twice that of the norm, 1e-6")
  return {n = n, distance = distance, mu = mu}, scalar.lor(off, scalar.lt(mu, 0))
end

-- Where the origin of the base is, in the world.
local function origin(place)
  if place.x then return spatial.vector {place.x, place.y, 0} end
  return place.position or spatial.zero
end

-- Rows of a contact: J by coordinate along the axes of the world; the gap.
local function contact_rows(state, place, c, given)
  ag.region("contact " .. c.name, c.name)
  local poses = state:body_poses()
  local body, nv = poses[c.frame.body], state.chain.nb + state.chain.nj
  local arm = body.R * (c.frame.p + c.frame.R * spatial.vector(c.at)) - c.radius * given.n
  local columns, rows, axes = Family.partial_velocities(state, poses, c.frame.body, nil, arm), {}, axes_of(given.n)
  for k = 1, 3 do
    rows[k] = {}
    for j = 1, nv do rows[k][j] = spatial.dot(axes[k], columns[j].lin) end
  end
  return rows, spatial.dot(given.n, body.p + arm + origin(place)) - given.distance, axes
end

-- Joints whose limits a layout names, and those with dry friction.
local function limited(state)
  local list, seen = {}, {}
  for _, g in ipairs(state.layout.joint_groups) do
    for _, j in ipairs((g.margin or g.side) and g.joints or {}) do
      local joint = state.chain.bodies[state.chain.leader[j]].link.joint
      if not seen[j] and joint.lower and joint.upper and joint.lower < joint.upper then
        list[#list + 1] = {joint = j, lower = joint.lower, upper = joint.upper}
      end
      seen[j] = true
    end
  end
  return list
end

local function rubbing(layout)
  for _, g in ipairs(layout.joint_groups) do
    if g.name == "friction" then return g.joints end
  end
  return {}
end

function Begin.named(context) return context.layout.step.named and Begin.refused(context) == nil end

-- The name of a joint of limits of acceleration that has no limits of position; nil: there is none.
local function without_limits(context)
  local chain = context.chains.link
  for _, g in ipairs(context.layout.joint_groups) do
    for _, j in ipairs((g.margin or g.side) and g.joints or {}) do
      local joint = chain.bodies[chain.leader[j]].link.joint
      if not (joint.lower and joint.upper and joint.lower < joint.upper) then return joint.name end
    end
  end
end

function Begin.refused(context)
  local layout = context.layout
  local what, step = Step.unilateral(layout), layout.step
  local function no(why, remedy) return {what = why, remedy = remedy} end
  if not what then
    return no("step_begin is for contacts, limits or dry friction of joints, and the layout has none",
      "write --functions step, or name contacts in the layout")
  end
  if step.integrator ~= "semi_implicit" then
    return no("steps with " .. what .. ' are made by the integrator "semi_implicit"', "leave integrator out")
  end
  if step.substeps > 1 then
    return no("step_begin makes one step, for which the impulses are solved",
      "leave substeps out, and call it for each")
  end
  if context.formulation and context.formulation ~= "joint" then
    return no("step_begin is made in joint space", "leave --formulation out")
  end
  local joint = without_limits(context)
  if joint then
    return no('step_begin holds limits of positions, and joint "' .. joint .. '" of limits has none',
      "name the joints that have them: limits = { joints = ... }")
  end
  return Step.faults(context)
end

function Begin.frameless() return false end

function Begin.variants() return {{formulation = "joint", way = "wrench", axes = "matrix"}} end

-- Row j of J, of coordinates along the axes of the world, as the formulation has them.
local function inner(state, row)
  local base = state.base
  if not base then return row end
  local r = base:inward(row)
  for c = state.chain.nb + 1, #row do r[c] = row[c] end
  return r
end

-- Motors that move several joints and have dry friction.
local function rubbing_motors(layout)
  for _, g in ipairs(layout.joint_groups) do
    if g.motors then return g.motors end
  end
  return {}
end

-- All rows: {J, gap, mu, box, axes; contact_axes: normal and tangents by contact; joints: by row along a joint {along =
-- {[joint] = sign, or ratio of a motor}, box: its bound}}.
local function rows_of(state, place, contacts, h)
  local chain, r = state.chain, {J = {}, gap = {}, mu = {}, box = {}, axes = {}, joints = {}}
  local nv, inverse = chain.nb + chain.nj, scalar.divide(1, h)
  r.contact_axes = {}
  for k, c in ipairs(state.layout.contacts) do
    local rows, gap, axes = contact_rows(state, place, c, contacts[k])
    for i = 1, 3 do
      r.J[#r.J + 1], r.gap[#r.gap + 1] = rows[i], i == 1 and inverse * gap or 0
      for a = 1, 3 do r.axes[#r.axes + 1] = axes[i][a] end
    end
    r.mu[k], r.contact_axes[k] = contacts[k].mu, axes
  end
  local function add(along, gap, box)
    local row, at = scalar.zeros(nv), #r.J + 1
    for j, x in pairs(along) do row[chain.nb + j] = x end
    r.J[at], r.gap[at], r.joints[at] = row, gap, {along = along, box = box}
  end
  for _, x in ipairs(limited(state)) do
    add({[x.joint] = 1}, inverse * (state.q[x.joint] - x.lower))
    add({[x.joint] = -1}, inverse * (x.upper - state.q[x.joint]))
  end
  for _, j in ipairs(rubbing(state.layout)) do
    r.box[#r.box + 1] = h * state.friction.coulomb[j]
    add({[j] = 1}, 0, r.box[#r.box])
  end
  for _, m in ipairs(rubbing_motors(state.layout)) do
    r.box[#r.box + 1] = h * state.layout.motors[m].coulomb
    add(state.layout.gears.G[m], 0, r.box[#r.box])
  end
  return r
end

-- Where the robot is, as a list of numbers, with the period; and back, the same of what came in. turned: with cosines
-- and sines.
local function packed(state, place, h, turned)
  local list = table.move(place.q, 1, #place.q, 1, {})
  local function put(part) table.move(part, 1, #part, #list + 1, list) end
  if place.x then
    put {place.x, place.y, place.yaw}
  elseif state.chain.nb == 6 then
    put(place.position)
    for i = 1, place.quat and 1 or 3 do put(place.quat or place.R[i]) end
  end
  for i = 1, turned and state.chain.n or 0 do
    if place.c[i] then put {place.c[i], place.s[i]} end
  end
  if turned and place.x then put {place.c_yaw, place.s_yaw} end
  for _, quat in ipairs(place.ball) do put(quat) end
  put {h}
  return list
end

local function unpacked(chain, list, matrix, turned)
  local at = 0
  local function take(count)
    at = at + count
    return table.move(list, at - count + 1, at, 1, {})
  end
  local place = {q = take(chain.nj), c = {}, s = {}, ball = {}, turn = {}}
  if chain.nb == 3 then
    place.x, place.y, place.yaw = table.unpack(take(3))
  elseif chain.nb == 6 then
    place.position = spatial.vector(take(3))
    if matrix then
      place.R = spatial.matrix {take(3), take(3), take(3)}
    else
      place.quat = take(4)
    end
  end
  for i = 1, turned and chain.n or 0 do
    local b = chain.bodies[i]
    if not b.prismatic and not b.ball then place.c[i], place.s[i] = table.unpack(take(2)) end
  end
  if turned and place.x then place.c_yaw, place.s_yaw = table.unpack(take(2)) end
  for k, ball in ipairs(chain.balls) do
    place.ball[k] = take(4)
    if turned then place.turn[ball.body] = Base.rotation_of(place.ball[k]) end
  end
  return place, list[#list]
end

-- The factors of M + h D as a list, and back.
local function packed_factor(factor)
  local list, pattern = table.move(factor.inv, 1, factor.n, 1, {}), {}
  for i = 1, factor.n do
    pattern[i] = {}
    for j = 1, i - 1 do
      pattern[i][j] = not scalar.is_zero(factor.L[i][j])
      if pattern[i][j] then list[#list + 1] = factor.L[i][j] end
    end
  end
  return list, pattern
end

local function unpacked_factor(list, pattern)
  local n, at, L = #pattern, #pattern, {}
  for i = 1, n do
    L[i] = {}
    for j = 1, i - 1 do
      at = pattern[i][j] and at + 1 or at
      L[i][j] = pattern[i][j] and list[at] or 0
    end
  end
  return Factor.given(L, table.move(list, 1, n, 1, {}))
end

-- What comes in of all contacts and of dry friction; a condition: it is none.
local function read_all(state)
  local contacts, bad = {}, false
  for k, c in ipairs(state.layout.contacts) do
    local wrong
    contacts[k], wrong = read_contact(state, c)
    bad = scalar.lor(bad, wrong)
  end
  for _, x in ipairs(state.friction and state.friction.coulomb or {}) do bad = scalar.lor(bad, scalar.lt(x, 0)) end
  return contacts, bad
end

function Begin.program(context, variant)
  local state = State.new(context, variant, Step.needs)
  Places.read(state)
  local contacts, bad = read_all(state)
  local h, no_period = Step.read_period(state, context.layout.step)
  local place, v = Places.given(state)
  local form = Integrators.form(state, h)
  local free = Integrators.plus(v, h, Integrators.accelerations(state, form))
  local loops = Closures.new(state, place, form)
  if loops then free = loops:allowed(loops:start(), state, free) end
  local rows = rows_of(state, place, contacts, h)
  local m, J, A, b, map = #rows.J, {}, {}, {}, {}
  for j = 1, m do J[j] = inner(state, rows.J[j]) end
  local k = form:project_columns(J)
  for j = 1, loops and m or 0 do k[j] = loops:start().free(k[j]) end
  ag.region("rows: A = J (M + h D)^-1 J^T and b = J v*", "rows")
  local gram = {}
  for i = 1, m do
    gram[i] = {}
    for j = 1, i do
      local sum = 0
      for c = 1, form.n do sum = sum + k[i][c] * form.inv[c] * k[j][c] end
      gram[i][j] = sum
    end
  end
  for i = 1, m do
    for j = 1, m do A[#A + 1] = gram[math.max(i, j)][math.min(i, j)] end
    b[i] = scalar.sum_of_products(rows.J[i], free)
    local change = form:accelerate(k[i])
    if state.base then table.move(state.base:outward(change), 1, state.chain.nb, 1, change) end
    table.move(change, 1, #change, #map + 1, map)
  end
  state:put("A of impulses", A)
  state:put("b of impulses", b)
  state:put("gap", rows.gap)
  if #rows.mu > 0 then
    state:put("mu of contacts", rows.mu)
    state:put("axes of contacts", rows.axes)
  end
  if #rows.box > 0 then state:put("box", rows.box) end
  state:put("v_free", free)
  state:put("v_lambda", map)
  local where, factor, pattern = packed(state, place, h, loops ~= nil), packed_factor(form.factor)
  state:put("place", where)
  if loops then
    state:put("factor", factor)
    state:status("SINGULAR", scalar.any(loops.acted))
  end
  state:check_positive(form.D)
  state:finish(scalar.lor(bad, no_period))
  return {rows = m, joints = rows.joints, nv = #free, place = #where, factor = loops and #factor, pattern = pattern}
end

-- Adds to torques by joint what a force along a row of joints is there.
local function add_torques(tau, row, force)
  for j = 1, #tau do
    local share = row.along[j] or 0
    if not scalar.is_zero(share) then tau[j] = tau[j] + share * force end
  end
end

local function read_lambda(state, count)
  return state:input {
    name = "lambda", shape = "list", linear = "N s", angular = "N m s",
    doc = "impulse of each row, solved by achd_contact_solve", count = count,
  }
end

function End.variants() return {{formulation = "linear", way = "none", axes = "none", leaf = "link"}} end

-- Declares the forces of contacts and of rows along joints (tau; false: there are none) as outputs.
local function put_forces(state, forces, tau)
  for k, c in ipairs(state.layout.contacts) do
    state:put("contact. force", forces[k], {id = c.name .. ".force", of = c.name})
  end
  if tau then state:put("tau_rows", tau) end
end

-- Where the step ends, with all that is held closed: the place and the velocities.
local function closed(state, place, v, d, factor)
  state.variant = {axes = "chain"}
  local start = Places.state(state, place, v)
  local loops = Closures.new(start, place, formulations.joint.of_factor(start.robot, factor))
  local to, v_next = loops:closed(Places.moved(start, place, d, true), v)
  state:status("SINGULAR", scalar.any(loops.acted))
  return to, v_next
end

function End.program(context)
  local info, layout = context.info.step_begin, context.layout
  local state = State.bare(context)
  state.base_name, state.axes = context.base_name, "axes of the world"
  -- Of what is not finite among these, sums of products in the outputs are not, where nothing is closed.
  local function given(name, count)
    local input = info.factor and state.input or state.unbounded_input
    name = "step_begin." .. name
    return input(state, {name = name, shape = "list", linear = "1", angular = "1", doc = "", count = count})
  end
  local m, nv, chain = info.rows, info.nv, state.chain
  local lambda = read_lambda(state, m)
  local axes = #layout.contacts > 0 and given("axes", 9 * #layout.contacts)
  local v, map, list = given("v_free", nv), given("v_lambda", m * nv), given("place", info.place)
  ag.region("velocities and positions at the end of the step")
  local place, h = unpacked(chain, list, layout.orientation == "matrix", info.factor)
  local v_next, d = {}, {}
  for c = 1, nv do
    v_next[c] = v[c]
    for j = 1, m do v_next[c] = v_next[c] + map[(j - 1) * nv + c] * lambda[j] end
    d[c] = h * v_next[c]
  end
  local to
  if info.factor then
    to, v_next = closed(state, place, v_next, d, unpacked_factor(given("factor", info.factor), info.pattern))
  else
    to = Places.moved(state, place, d, false)
  end
  Places.put(state, to, v_next)
  local forces, rate, tau = {}, scalar.divide(1, h), scalar.zeros(chain.nj)
  for k in ipairs(layout.contacts) do
    forces[k] = {0, 0, 0}
    for i = 1, 3 do
      for a = 1, 3 do forces[k][a] = forces[k][a] + axes[9 * k - 9 + 3 * i - 3 + a] * (rate * lambda[3 * k - 3 + i]) end
    end
  end
  for j = 1, m do
    local row = info.joints[j]
    if row then add_torques(tau, row, rate * lambda[j]) end
  end
  put_forces(state, forces, next(info.joints) and tau)
  state:finish_outputs()
end

return {
  step_begin = Begin, step_end = End, read = read_all, rows_of = rows_of, inner = inner, put_forces = put_forces,
  read_lambda = read_lambda, add_torques = add_torques,
}
