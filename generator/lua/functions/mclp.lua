-- SPDX-License-Identifier: MIT
-- mclp.lua: the solve with bounded rows, in two functions around the solver of the runtime library (achd/mclp.h).
--
--   mclp:   L nu = r + w, lo <= nu <= hi, w = A^T a - b + c nu, c the compliance of a soft row; and every output as
--           x_0 + x_nu nu: the recursion runs once
--   apply:  the outputs for the nu that was found
-- The maximum over mu in Vereshchagin's max-min problem is the dual of Gauss' principle with these bounds (Vukcevic
-- 2018). Rows along joint axes (friction, limits) have K = u of a unit torque.

local scalar = require "scalar"
local spatial = require "spatial"
local motion = require "motion"
local constraints = require "constraints"
local State = require "state"
local Free = require "unconstrained"
local affine = require "affine"
local RowBounds = require "row_bounds"
local Drivers = require "drivers"

local Mclp = {doc = "The problem of the bounded rows, L nu = r + w, for achd_mclp; and what nu adds to every output."}
local Apply = {doc = "The solve's results for the nu that achd_mclp found."}

local zeros = scalar.zeros

-- J^T A by row and coordinate.
local function row_torques(state, rows, formulation)
  local frame_rows = #state.rows
  local J = formulation == "joint" and state:jacobian() or {}
  for j, row in ipairs(rows) do
    if row.joint then
      J[j] = state:unit_force(row.joint)
    elseif row.motor then
      J[j] = state:unit_torque(row.motor)
    elseif j <= frame_rows and not J[j] then
      J[j] = motion.joint_forces(state.robot, state:row_wrenches(row), "torques: J^T A, ")
    end
  end
  return J
end

-- The rows of a state: of groups, then along joints and of motors (along: the velocity of a motor by those of joints).
local function all_rows(state)
  local rows = table.move(state.rows, 1, #state.rows, 1, {})
  for _, g in ipairs(state.joint_groups) do
    for k, name in ipairs(g.rows) do
      local motor = g.motors and g.motors[k]
      rows[#rows + 1] = {group = g, k = k, name = name, joint = g.joints[k], motor = motor, b = 0,
        along = motor and state.layout.gears.G[motor]}
    end
  end
  return rows
end

-- Which rows a joint can move along, and a condition: a row in force is out of reach. Rows along joints never are.
local function reach_of(state, rows, L, k, inv)
  local frame_rows, diagonal, masks = state.rows, {}, {}
  for j = 1, #frame_rows do diagonal[j], masks[j] = L[j][j], rows[j].mask or false end
  local scales = constraints.scales(state.chain, frame_rows, k, inv, constraints.reach_threshold(state.single))
  local reach, acted = constraints.reached(diagonal, masks, scales)
  for j = #frame_rows + 1, #rows do reach[j] = true end
  return reach, scalar.any(acted)
end

-- The problem of a state: its rows, of groups, then along joints, with lo, hi (0 where a row is masked or out of reach,
-- not held), L, r and the compliance, soft; lost: a row in force is out of reach; J^T A and K by row; free:
-- unconstrained.lua.
function Mclp.problem(state, formulation)
  local rows = all_rows(state)
  local lo, hi = RowBounds.of(state, rows)
  local free = Free.new(state, formulation)
  local form, motions, u = free.form, free.motion, free.u

  local J = row_torques(state, rows, formulation)
  local k
  if formulation == "joint" then
    k = form:project_columns(J)
  else
    k = state:project_rows(form)
    for j = #state.rows + 1, #rows do k[j] = form:free(J[j], {}) end
  end
  local target = {}
  for j, x in ipairs(state:seen(motions)) do target[j] = rows[j].b - x end
  for j = #state.rows + 1, #rows do target[j] = rows[j].b end
  local drivers = Drivers.new(state, form)
  drivers:pass(k, target, function() return form:free(free.from_wrenches, {}) end)
  local L, scaled = constraints.gram(k, form.inv, u, target)
  local r, reach, lost = {}, nil, nil
  for j = 1, #rows do r[j] = constraints.right_side(j, scaled[j], u, target[j]) end
  reach, lost = reach_of(state, rows, L, k, form.inv)
  local soft = {}
  for j, row in ipairs(rows) do soft[j] = row.compliance or false end
  constraints.soften(L, soft)
  local held = {}
  for j, row in ipairs(rows) do
    held[j] = reach[j] -- a plain boolean where the scripts run on numbers
    if row.mask then held[j] = scalar.land(held[j], scalar.lnot(scalar.eq(row.mask, 0))) end
    lo[j], hi[j] = scalar.select(held[j], lo[j], 0), scalar.select(held[j], hi[j], 0)
    for _, bound in ipairs {lo[j], hi[j]} do
      scalar.no_bound(bound, ag.no_bound(state.single))
    end
  end
  return {rows = rows, lo = lo, hi = hi, held = held, L = L, r = r, soft = soft, lost = lost, J = J, k = k, free = free,
    drivers = drivers}
end

-- A condition: the bounds mean nothing, or a coefficient of friction is negative, which in motion the bounds do not
-- tell.
function Mclp.bad(p)
  local bad = false
  for j = 1, #p.rows do
    bad = scalar.lor(bad, scalar.lnot(scalar.lor(scalar.lt(p.lo[j], p.hi[j]), scalar.eq(p.lo[j], p.hi[j]))))
  end
  for _, row in ipairs(p.rows) do
    local g = row.group
    local given = row.joint and g.coulomb and g.coulomb[row.joint] or g.contact and g.contact.mu or 0
    bad = scalar.lor(scalar.lor(bad, scalar.lt(given, 0)), RowBounds.bad_friction(row))
  end
  return bad
end

-- Of a list by coordinate that of the joints.
local function joints_of(state, list)
  local nb = state.chain.nb
  return table.move(list, nb + 1, nb + state.chain.nj, 1, {})
end

-- Of torques by coordinate those that a controller gives: none at joints without a motor.
local function commanded(state, torques)
  local t = joints_of(state, torques)
  for i = 1, #t do t[i] = state.passive[i] and 0 or t[i] end
  return t
end

-- D vdot of the joints.
local function total_torques(state, form, vdot)
  local t = joints_of(state, vdot)
  for i = 1, #t do t[i] = form.D[state.chain.nb + i] * t[i] end
  return t
end

local function scaled_dot(inv, x, y)
  local sum = 0
  for c = 1, #inv do sum = sum + x[c] * inv[c] * y[c] end
  return sum
end

-- By output, what a unit of nu_j adds to it: functions of j. Of Z, whose f has the friction of joints (rows F), with
-- e = u + K nu that is -K_F^T D^-1 u; `apply` adds what is of second order,
--   Z = 1/2 e^T D^-1 e - (u + K_F nu_F)^T D^-1 e = Z_0 + Z_nu nu + 1/2 nu^T L nu - nu_F^T L_F nu
--   Z_0 = -1/2 u^T D^-1 u
local function columns_of(state, p)
  local rows, J, k, form = p.rows, p.J, p.k, p.free.form
  local n, nb = state.chain.nj, state.chain.nb
  local added_vdot = affine.once(function(j) return form:accelerate(k[j]) end)
  local added = affine.once(function(j) return motion.added_accelerations(state.robot, added_vdot(j)) end)
  local none = zeros(n)
  local function demanded(j) return rows[j].group.kind == "artificial" and J[j] or zeros(nb + n) end
  local columns = {
    qdd = function(j) return joints_of(state, added_vdot(j)) end,
    tau_ctrl = function(j) return commanded(state, demanded(j)) end,
    tau_motor = function(j) return state.layout.gears:to_motors(commanded(state, demanded(j))) end,
    tau_total = function(j) return total_torques(state, form, added_vdot(j)) end,
    tau_apparent = function(j) return joints_of(state, k[j]) end,
    tau_friction = function(j) return RowBounds.of_friction(rows[j]) and joints_of(state, J[j]) or none end,
    Z = function(j) return {RowBounds.of_friction(rows[j]) and -scaled_dot(form.inv, k[j], p.free.u) or 0} end,
    ["base.acc"] = function(j) return state.base:outward(added_vdot(j)) end,
    ["base.wrench_ctrl"] = function(j) return state.base:outward(demanded(j)) end,
  }
  for i in pairs(state.passive) do
    local joint = state.chain.bodies[state.chain.leader[i]].link.joint
    columns["tau_unactuated." .. joint.id] = function(j) return {demanded(j)[nb + i]} end
  end
  for _, f in ipairs(state.layout.frame_outputs.acc) do
    columns["acc." .. f.id] = function(j)
      local body, d = f.frame.body, added(j)[f.frame.body]
      local lin = state:to_base(body, d.v + spatial.cross(d.w, f.frame.p))
      local ang = state:to_base(body, d.w)
      return {lin[1], lin[2], lin[3], ang[1], ang[2], ang[3]}
    end
  end
  return columns
end

-- The outputs at nu = 0.
local function put_free(state, free)
  local form, own = free.form, free.own
  local vdot = form:accelerate(free.u)
  state:output("qdd", joints_of(state, vdot))
  state:output("tau_ctrl", commanded(state, own))
  state:output_motors(commanded(state, own), "tau_ctrl")
  state:output("tau_total", function() return total_torques(state, form, vdot) end)
  state:output("tau_apparent", zeros(state.chain.nj))
  state:output("tau_friction", function()
    local t = {}
    for i = 1, state.chain.nj do t[i] = -state:viscous_torque(i) end
    return t
  end)
  state:output("Z", function() return {-(0.5 * scaled_dot(form.inv, free.u, free.u))} end)
  if state.base then state:put_on_base("base.acc", vdot) end
  state:output_unactuated(own)
  state:output_frames(free.motion, vdot)
end

-- L, by rows its lower half, r, compliances and bounds, for the solver.
local function put_problem(state, p)
  local packed = {}
  for j = 1, #p.rows do table.move(p.L[j], 1, j, #packed + 1, packed) end
  state:put("L", packed)
  table.insert(state.outputs, 1, table.remove(state.outputs)) -- the first
  state:put("r", p.r)
  if state.soft then
    local list = {}
    for j = 1, #p.rows do list[j] = p.soft[j] or 0 end
    state:put("compliance", list)
  end
  state:put("lo of nu", p.lo, {none = string.format("%g", ag.no_bound(state.single))})
  state:put("hi of nu", p.hi)
  if state.layout.least_torque then state:put("torque_weight", state.layout.least_torque) end
  if state.chain.nb > 0 or next(state.passive) then state:put("forces", {state:force_scale()}) end
end

-- variant: {formulation, way, axes} (main.lua)
function Mclp.program(context, variant)
  local state = State.new(context, variant, {
    qd = true, gravity = true, tau = true, wrenches = true, rows = true, armature = true, inertia = true, bounds = true,
  })
  local p = Mclp.problem(state, variant.formulation)
  put_free(state, p.free)
  local parts = affine.put(state, {
    name = "nu", count = #p.rows, shape = "map", length = function(own) return own end,
    at = ", at nu = 0", adds = ": what a unit of each row's nu adds",
  }, columns_of(state, p))
  put_problem(state, p)
  state:status("SINGULAR", p.lost)
  state:check_positive(p.free.form.D)
  local info = {loops = state:put_for_apply()}
  state:finish(Mclp.bad(p))
  info.parts, info.rows, info.soft = parts, {}, state.soft
  for j, row in ipairs(p.rows) do info.rows[j] = {kind = row.group.kind, friction = RowBounds.of_friction(row)} end
  return info
end

function Apply.variants() return {{formulation = "linear", way = "none", axes = "none", leaf = "link"}} end

-- 1/2 nu^T L nu - nu_F^T L_F nu, L without the compliances c; F: the rows of the joints' friction.
local function second_order(info, L, c, nu)
  local sum = 0
  for j, row in ipairs(info.rows) do
    local seen = c[j] and -(c[j] * nu[j]) or 0
    for l = 1, #info.rows do
      local a, b = math.max(j, l), math.min(j, l)
      seen = seen + L[a * (a - 1) // 2 + b] * nu[l]
    end
    sum = sum + (row.friction and -0.5 or 0.5) * (nu[j] * seen)
  end
  return sum
end

function Apply.program(context)
  local info = context.info.mclp
  local state = State.bare(context)
  local m = #info.rows
  local given = state:read_bounded_solution(info)
  local nu, L, free, map, r, c, lo, hi = given.nu, given.L, given.free, given.map, given.r, given.c, given.lo, given.hi

  ag.region("x_0 + x_nu nu")
  local told, tau = {}, nil
  for _, p in ipairs(info.parts) do
    local values = {}
    for i = 1, p.count do
      values[i] = free[p.whole.name][i]
      for j = 1, p.mapped and m or 0 do
        local at = (j - 1) * p.count + i
        if p.entries[at] then values[i] = values[i] + map[p.whole.name][at] * nu[j] end
      end
    end
    if p.whole.name == "Z" then values[1] = values[1] + second_order(info, L, c, nu) end
    state:put_record(setmetatable({values = values}, {__index = p.whole}))
    if p.whole.name == "qdd" then state:output("nu", nu) end
    if p.whole.name == "tau_ctrl" then tau = values end
    if p.whole.name:match("^tau_unactuated") or p.whole.name == "base.wrench_ctrl" then
      for i = 1, p.count do told[#told + 1] = values[i] end
    end
  end
  state:apply_linkages("mclp", info.loops, tau)
  if not free.qdd then state:output("nu", nu) end -- a robot without joints has none
  state:output("residual", function()
    local w = {}
    for j = 1, m do
      w[j] = -r[j]
      for l = 1, m do
        local a, b = math.max(j, l), math.min(j, l)
        w[j] = w[j] + L[a * (a - 1) // 2 + b] * nu[l]
      end
      if c[j] then w[j] = w[j] - c[j] * nu[j] end
    end
    return w
  end)

  ag.region("status")
  local active = false
  for j = 1, m do
    active = scalar.lor(active,
      scalar.land(scalar.lt(lo[j], hi[j]), scalar.lor(scalar.eq(nu[j], lo[j]), scalar.eq(nu[j], hi[j]))))
  end
  state:status("BOUND_ACTIVE", active)
  if #told > 0 then
    local forces = state:read_force_scale()
    for j, row in ipairs(info.rows) do
      if row.kind == "artificial" then forces = forces + math.max(1, context.chains.link.reach) * scalar.abs(nu[j]) end
    end
    local rounding, unactuated = state.single and 1e-5 or 1e-12, false
    local known = scalar.share(rounding, forces, "unactuated_share",
      "of all forces: less, where no motor is, is rounding")
    for _, x in ipairs(told) do unactuated = scalar.lor(unactuated, scalar.lt(known, scalar.abs(x))) end
    state:status("UNACTUATED", unactuated)
  end
  state:finish_outputs()
end

return {mclp = Mclp, apply = Apply}
