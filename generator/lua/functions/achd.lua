-- SPDX-License-Identifier: MIT
-- achd.lua: the constrained hybrid dynamics solve as one program: inputs, sweeps, row system, torques.
--
-- minimise Z = sum 1/2 a^T I a + p^T a + sum 1/2 d qdd^2 - tau qdd   subject to   A^T a = b
-- (Vereshchagin 1989; Shakhimardanov 2015; Vukcevic 2020, alg. 2, but for tau_ctrl).

local scalar = require "scalar"
local motion = require "motion"
local constraints = require "constraints"
local State = require "state"
local Sources = require "contributions"
local Free = require "unconstrained"
local Fast = require "rows_first"
local EarlyRows = require "early_rows"
local Motors = require "motors"
local Bound = require "bound"
local Drivers = require "drivers"

local plus_rows = constraints.plus_rows

local Achd = {
  doc = "Constrained forward dynamics (Popov-Vereshchagin): the motion of least constraint (Gauss) that satisfies " ..
    "the active rows.",
}

-- The forces, by coordinate, that artificial rows and `own` ask for: sum_j J_ij nu_j + own_i. J: by row, or nil.
local function demanded(state, rows, J, nu, own)
  if J then
    ag.region("torques: J^T A nu", "tau")
    local tau = {}
    for i = 1, #own do
      tau[i] = own[i]
      for j, row in ipairs(rows) do
        if row.group.kind == "artificial" then tau[i] = tau[i] + J[j][i] * nu[j] end
      end
    end
    return tau
  end
  -- one wrench per body carried inward
  local wrenches, along = {}, {}
  for j, row in ipairs(rows) do
    local artificial = row.group.kind == "artificial" -- else the environment gives it
    if artificial and row.joint then
      local c = state.chain.nb + row.joint
      along[c] = (along[c] or 0) + nu[j]
    elseif artificial then
      local mine = state:row_wrenches(row)
      for i = 0, state.chain.n do
        if mine[i] then motion.put_wrench(wrenches, i, motion.scale_wrench(nu[j], mine[i])) end
      end
    end
  end
  local tau = motion.joint_forces(state.robot, wrenches, "torques: J^T A nu, ")
  for i = 1, #own do tau[i] = tau[i] + own[i] + (along[i] or 0) end
  return tau
end

-- The rows' system, to be solved for u and target (and others). of: {k, inv, J: where motors are to realise the
-- artificial rows; then also Motors; plain: of constraints.system}.
local function system_of(state, rows, of, u, target)
  local layout, single = state.layout, state.single
  local system = {
    k = of.k, inv = of.inv, masks = {}, soft = {}, policy = layout.singularity, threshold = layout.singular_threshold,
    single = single, plain = of.plain,
  }
  for j, row in ipairs(rows) do system.masks[j], system.soft[j] = row.mask or false, row.compliance or false end
  system.scales = constraints.scales(state.chain, rows, of.k, of.inv, constraints.reach_threshold(single))
  system.motors = of.J and Motors.new(state, rows, of.J, system) or nil
  return constraints.system(system, u, target), system.motors
end

-- The demanded torques: of the motors by joint, and by coordinate what no motor gives.
local function share_out(state, demand)
  local n, nb, tau_ctrl, unactuated = state.chain.nj, state.chain.nb, {}, {}
  for c = 1, nb do unactuated[c] = demand[c] end
  for i = 1, n do
    if state.passive[i] then
      tau_ctrl[i], unactuated[nb + i] = 0, demand[nb + i]
    else
      tau_ctrl[i] = demand[nb + i]
    end
  end
  return tau_ctrl, unactuated
end

local function at_effort(state, x, limit, j) -- x, made of the limit of motor j: what that is called in emitted text
  return scalar.limit(x, limit, "effort" .. j, "limit of the torque or force of " .. state.chain.joint_names[j])
end
local function at_motor(state, x, m) -- the same of a motor that moves several joints
  local motor = state.layout.motors[m]
  return scalar.limit(x, motor.effort, "effort_motor" .. m, "limit of the torque of motor " .. motor.name)
end

-- Torques, lists by joint, by what has a limit: {limit, values, at = what x is called}, of joints, then of motors that
-- move joints together.
local function limited(state, ...)
  local list, lists = {}, {...}
  for i = 1, state.chain.nj do
    if state.effort[i] and not state.passive[i] then
      local values = {}
      for k, tau in ipairs(lists) do values[k] = tau[i] end
      local limit = state.effort[i]
      list[#list + 1] = {limit = limit, values = values, joint = i,
        at = function(x) return at_effort(state, x, limit, i) end}
    end
  end
  local torques = {}
  for k, tau in ipairs(state.layout.limited and lists or {}) do torques[k] = state.layout.gears:to_motors(tau) end
  for _, m in ipairs(state.layout.limited or {}) do
    local values = {}
    for k in ipairs(lists) do values[k] = torques[k][m] end
    list[#list + 1] = {limit = state.layout.motors[m].effort, values = values, motor = m,
      at = function(x) return at_motor(state, x, m) end}
  end
  return list
end

-- The largest s, at most 1, with which every motor gives t0 + s t1 within its limit E, and whether there is one. With
-- t0 and t1 turned so that t1 >= 0 they are within for -(E + t0) <= s t1 <= E - t0: one interval of s for each motor. s
-- is the least upper end; there is none where that is below 0 or below some lower end.
local function least_scale(state, at_rest, added)
  ag.region("saturation: the scale of the set-points", "scaled")
  local s, fits, turned = 1, true, {}
  for _, of in ipairs(limited(state, at_rest, added)) do
    local rest, more = of.values[1], of.values[2]
    local t0 = scalar.select(scalar.lt(more, 0), -rest, rest)
    local t1, room = scalar.abs(more), of.limit - t0
    local left = scalar.max(0, room)
    local ends = scalar.lt(left, t1) -- before 1
    s = scalar.min(s, scalar.select(ends, scalar.divide(left, scalar.select(ends, t1, 1)), 1))
    fits = scalar.land(fits, scalar.lnot(scalar.lt(room, 0)))
    turned[#turned + 1] = {t0 = t0, t1 = t1, limit = of.limit, at = of.at}
  end
  for _, m in ipairs(turned) do
    fits = scalar.land(fits, scalar.lnot(m.at(scalar.lt(m.t0 + s * m.t1, -m.limit))))
  end
  return s, fits
end

-- Outputs that all ways have. vdot: the accelerations by coordinate; motions: those at vdot = 0.
local function put_motion(state, unactuated, vdot)
  state:output("tau_friction", function()
    local t = {}
    for i = 1, state.chain.nj do t[i] = -state:viscous_torque(i) end
    return t
  end)
  if state.base then state:put_on_base("base.acc", vdot) end
  state:output_unactuated(unactuated)
end
-- yielded: by row, what it asks for beside b; nil: nothing.
local function put_residual(state, motions, vdot, yielded)
  state:output("residual", function()
    local seen = state:seen(state:with_vdot(motions, vdot), nil, vdot)
    for j, row in ipairs(state.rows) do seen[j] = seen[j] - row.b - (yielded and yielded[j] or 0) end
    return seen
  end)
end

-- How far vdot can be from exact. make_maps, fails: bound.lua.
local function put_bound(state, vdot, nu, make_maps, fails)
  state:output_bound(vdot, function()
    local acting = state:acting_torques()
    for j = 1, state.chain.nj do acting[j] = acting[j] + state.tau_art[j] end
    return Bound.of(state, vdot, state:by_coordinate(acting), nu, make_maps, fails)
  end)
end

-- Clamps the torques of motors that move joints together, of tau_ctrl, in place: where one is beyond its limit, these
-- joints have what the clamped ones give, G^T tau_motor. Returns whether one is, the torques of all motors, and which
-- are beyond.
local function clamp_motors(state, tau_ctrl)
  local layout = state.layout
  local gears, any, beyond = layout.gears, false, {}
  local torques = gears:to_motors(tau_ctrl)
  for _, m in ipairs(layout.limited) do
    local limit, t = layout.motors[m].effort, torques[m]
    beyond[m] = at_motor(state, scalar.beyond(t, limit), m)
    any = scalar.lor(any, beyond[m])
    torques[m] = at_motor(state, scalar.clamp(t, limit), m)
  end
  local clamped = gears:to_joints(torques)
  for j in pairs(layout.at_motors) do tau_ctrl[j] = scalar.select(any, clamped[j], tau_ctrl[j]) end
  return any, torques, beyond
end

-- Clamps tau_ctrl to the limits, in place. Returns whether one was beyond.
local function clamp(state, tau_ctrl)
  ag.region("saturation: clamp", "clamped")
  local saturated = false
  for i = 1, state.chain.nj do
    local limit, t = state.effort[i], tau_ctrl[i]
    if limit and not state.passive[i] then
      saturated = scalar.lor(saturated, at_effort(state, scalar.beyond(t, limit), limit, i))
      tau_ctrl[i] = at_effort(state, scalar.clamp(t, limit), limit, i)
      ag.hint({tau_ctrl[i]}, {"tau" .. i})
    end
  end
  if not state.layout.limited then return saturated end
  local beyond, torques = clamp_motors(state, tau_ctrl)
  state.clamped_motors = torques
  return scalar.lor(saturated, beyond)
end

-- by formulation of the fast way
local when = {
  null = "The null-space solve, where all rows are in force and far from dependent, and no input is huge: " ..
    "accelerations that satisfy the rows, then inverse dynamics, then the motions that the rows leave free.",
  early = "Early elimination, where all rows are in force and far from dependent, and no input is huge: on the way " ..
    "inward, rows are solved at the first body with enough joints behind it, and add to its articulated inertia.",
}
local otherwise = "The general solve, where a row is masked or close to dependent on the others, or an input is huge."

-- Random states on which it is counted how many can take the fast way: where columns are held out or rows are
-- eliminated early; elsewhere a few tell whether any can, which none does where rows depend on each other whatever the
-- joints do (a row twice, three rows at each of two points of a body).
local states_to_ask, a_few, at_all = 100, 20, 0.5

-- Do rows that can be masked hold several limbs, as feet? Then one is often masked, and the masks are tested before the
-- pivots are known. Arms mask their rows rarely, and lose 4 to 8 % where the pivots are not computed beside what both
-- ways need.
local function on_several_limbs(state)
  local held = {}
  for k, g in ipairs(state.groups) do
    if state.layout.groups[k].maskable and g.frame and g.frame.body > 0 then
      for _, other in ipairs(held) do
        local common = motion.common(state.robot, g.frame.body, other)
        if common ~= g.frame.body and common ~= other then return true end
      end
      held[#held + 1] = g.frame.body
    end
  end
  return false
end

-- D qdd, and K nu = L^-T J^T A nu (joint.lua), for comparison with the literature. tau: J^T A nu by coordinate.
local function put_factored(state, fast, vdot, tau)
  local n, nb = state.chain.nj, state.chain.nb
  state:output("tau_total", function()
    local D, t = fast:factors().D, {}
    for i = 1, n do t[i] = D[nb + i] * vdot[nb + i] end
    return t
  end)
  state:output("tau_apparent", function()
    local factor = fast:factors()
    ag.region("joint space: K nu = L^-T J^T A nu", "K")
    return table.move(factor:back(tau), nb + 1, nb + n, 1, {})
  end)
end

-- pivot_min is of the rows' equations that a null-space solve has, in every formulation, whether it has that solve or
-- not; of a function with early elimination, of the systems of rows there; where there are no such, or a row is masked,
-- it is of L. values: a function.
local function put_least_pivot(state, fast, values)
  local of_L = "L = J M^-1 J^T"
  local masked = #(state.masks or {}) > 0 and ", and with a row masked of " .. of_L or ""
  state:output("pivot_min", values, {of = fast and fast.pivots_of .. masked or of_L})
end

-- The fast way (rows_first.lua, early_rows.lua). Returns whether the general solve is to be made, too, and the fast
-- way; nil where that is not for these rows.
local function rows_first(state, choice)
  local fast = (choice.early and EarlyRows or Fast).new(state, choice)
  if not fast then return false, nil end
  local regular = fast:regular()
  if type(regular) ~= "boolean" and state:asks_for_sizes() then -- else there is no other way for what is huge
    state.sizes = {plain = regular, hold = scalar.land(regular, state:moderate())}
  end
  regular = ag.label(state.sizes and state.sizes.hold or regular, "regular")
  if choice.alone then
    local held = choice.early or #choice.plan.held > 0
    local share = ag.often(regular, held and states_to_ask or a_few)
    if held or share < at_all then choice.share = share end
  end
  local make, make_general = ag.fast(regular, when[choice.early and "early" or "null"], otherwise,
    on_several_limbs(state) and fast:unmasked() or nil)
  if make then
    local rows, layout, bad_payload = state.rows, state.layout, state.bad_payload
    local vdot, nu, tau, own = fast:solve()
    local physical = false
    for _, row in ipairs(rows) do physical = physical or row.group.kind == "physical" end
    local demand = {}
    for i = 1, #own do demand[i] = tau and tau[i] + own[i] end
    if physical or not tau then demand = demanded(state, rows, nil, nu, own) end
    local tau_ctrl, unactuated = share_out(state, demand)
    if layout.saturate then -- all rows are artificial: what is clamped off is missing
      state:status("SATURATED", clamp(state, tau_ctrl))
      local missing, nb = {}, state.chain.nb
      for i = 1, #demand do missing[i] = (i > nb and tau_ctrl[i - nb] or 0) - demand[i] end
      for i, x in ipairs(fast:accelerations_of(missing)) do vdot[i] = vdot[i] + x end
    end
    state:output("qdd", table.move(vdot, state.chain.nb + 1, #vdot, 1, {}))
    state:output("nu", nu)
    state:output("tau_ctrl", tau_ctrl)
    state:output_motors(tau_ctrl, "tau_ctrl")
    put_factored(state, fast, vdot, tau)
    put_motion(state, unactuated, vdot)
    put_least_pivot(state, fast, function() return {fast:least_pivot(true)} end)
    put_residual(state, fast.outward, vdot)
    put_bound(state, vdot, nu, function(...) return fast:maps(...) end)
    state:output_frames(fast.outward, vdot)
    state:check_unactuated(unactuated, rows, nu)
    state.bad_payload = nil -- so the guard says
    state:finish()
    state.bad_payload = bad_payload
    state:start_over()
  end
  state.sizes = nil
  ag.otherwise()
  return make_general, fast
end

-- Early elimination squares what rows see of joints, for which float has few digits: there only where it is asked for.
Achd.fast_ways = {
  {formulation = "null", of = Fast}, {formulation = "early", of = EarlyRows, not_in_float = true},
}

-- The physical rows: {index, rows, k, target}.
local function of_contacts(s)
  local c = {index = {}, rows = {}, k = {}, target = {}}
  for j, row in ipairs(s.rows) do
    if row.group.kind == "physical" then
      c.index[#c.index + 1], c.rows[#c.rows + 1] = j, row
      c.k[#c.k + 1], c.target[#c.target + 1] = s.k[j], s.target[j]
    end
  end
  return c
end

-- Where rows have weights, what the physical rows make of u: u + K nu, L nu = -K D^-1 u of these; nil: there are none.
local function response_of_contacts(s)
  local weighted = false
  for _, g in ipairs(s.state.groups) do weighted = weighted or g.weights ~= nil end
  local c = of_contacts(s)
  if not weighted or #c.rows == 0 then return nil end
  local inv, none = s.form.inv, scalar.zeros(#c.rows)
  s.contacts = system_of(s.state, c.rows, {k = c.k, inv = inv}, scalar.zeros(#inv), none)
  return function(u)
    local nu, moved = s.contacts.solve(u, none)
    return moved or plus_rows(u, c.k, nu)
  end
end

-- Common to all steps of the general solve: {state, rows, formulation, form, free, motions, J, k, target; asked: b of
-- the artificial rows, which saturate = "scale" holds apart; yielded, system, motors, singular: conditions}.
local function row_system(context, state, formulation)
  local layout, rows, free = context.layout, state.rows, Free.new(state, formulation)
  local form, u = free.form, free.u
  local by_motors = Motors.needed(layout, state.chain)
  local s = {state = state, rows = rows, free = free, form = form, motions = free.motion, target = {}, asked = {}}
  if formulation == "joint" or by_motors then s.J = state:jacobian() end
  s.k = formulation == "joint" and form:project_columns(s.J) or state:project_rows(form)
  s.scales = layout.saturate == "scale"
  local seen = state:seen(s.motions)
  for j, row in ipairs(rows) do
    local apart = s.scales and row.group.kind == "artificial"
    s.target[j], s.asked[j] = (apart and 0 or row.b) - seen[j], apart and row.b or 0
  end
  local u_art
  s.drivers = Drivers.new(state, form, response_of_contacts(s))
  s.yielded = s.drivers:pass(s.k, s.target, function()
    u_art = u_art or form:free(free.from_wrenches, {})
    return u_art
  end)
  s.system, s.motors = system_of(state, rows, {k = s.k, inv = form.inv, J = by_motors and s.J}, u, s.target)
  return s
end

-- Nu, the rows' forces, a function that makes vdot; of motors also the torques demanded by coordinate, and their answer
-- to own.
local function solved(s, u, target, own)
  local form, motors = s.form, s.motors
  if not motors then
    local nu, moved = s.system.solve(u, target)
    return nu, nu, function() return form:accelerate(moved or plus_rows(u, s.k, nu)) end
  end
  local wanted, answer = motors:targets(target, own)
  local nu = s.system.solve(u, wanted)
  local forces, f, vdot = motors:realise(nu, own, answer, form:accelerate(plus_rows(u, s.k, nu)))
  return nu, forces, function() return vdot end, f, answer
end

-- What the motors reach of b, tau = tau_0 + scale tau_1: scale, and whether there is one; forces, demand, torques of
-- it.
local function scale_set_points(s, forces, demand, tau_ctrl)
  local state, none, added = s.state, scalar.zeros(#demand), {}
  local by_asked
  added.nu, added.forces, added.motion, by_asked = solved(s, none, s.asked, none)
  added.demand = by_asked or demanded(state, s.rows, s.J, added.nu, none)
  local scale, fits = least_scale(state, tau_ctrl, (share_out(state, added.demand)))
  local used = scalar.select(fits, scale, 1)
  local function plus(x, y)
    local r = {}
    for i = 1, #x do r[i] = x[i] + used * y[i] end
    return r
  end
  forces, demand = plus(forces, added.forces), plus(demand, added.demand)
  return scale, fits, forces, demand
end

-- The physical rows solved again under the clamped torques tau_ctrl: their forces into nu_out. Returns a function that
-- makes vdot.
local function solve_clamped(s, tau_ctrl, nu_out)
  local state, form, applied, acting = s.state, s.form, {}, s.state:acting_torques()
  for i = 1, state.chain.nj do applied[i] = tau_ctrl[i] + acting[i] end
  local u2 = form:free(state:by_coordinate(applied), s.free.physical)
  local c = of_contacts(s)
  local again = system_of(state, c.rows, {k = c.k, inv = form.inv}, u2, c.target)
  local nu2, moved = again.solve(u2, c.target)
  for j = 1, #c.rows do nu_out[c.index[j]] = nu2[j] end
  s.singular[#s.singular + 1] = again.singular
  return function() return form:accelerate(moved or plus_rows(u2, c.k, nu2)) end
end

-- The acceleration energy 1/2 vdot^T M vdot - f^T vdot, which Gauss' principle makes least, with vdot = L^-1 D^-1 e and
-- f = L^T u (joint.lua): sum (1/2 e - u) e / D (Vukcevic 2018, equation 4.1, less what no acceleration changes).
local function acceleration_energy(inv, u, e)
  local z = 0
  for c = 1, #inv do z = z + (0.5 * e[c] - u[c]) * e[c] * inv[c] end
  return z
end

-- Outputs of the general solve, but for the contributions. x: {nu_out, tau_ctrl, unactuated, vdot, scale, fits}; fast:
-- the fast way before it, or the null-space solve of which it takes the equations alone.
local function put_general(s, x, fast)
  local state, form, rows, k = s.state, s.form, s.rows, s.k
  local n, nb = state.chain.nj, state.chain.nb
  local qdd = table.move(x.vdot, nb + 1, nb + n, 1, {})
  state:output("qdd", qdd)
  state:output("nu", x.nu_out)
  state:output("tau_ctrl", x.tau_ctrl)
  state:output_motors(x.tau_ctrl, "tau_ctrl")
  state:output("tau_total", function()
    local t = {}
    for i = 1, n do t[i] = form.D[nb + i] * qdd[i] end
    return t
  end)
  state:output("tau_apparent", function()
    local t = {}
    for i = 1, n do
      t[i] = 0
      for j = 1, #rows do t[i] = t[i] + k[j][nb + i] * x.nu_out[j] end
    end
    return t
  end)
  state:output("Z", function()
    return {acceleration_energy(form.inv, s.free.u, plus_rows(s.free.u, k, x.nu_out))}
  end)
  state:output("scale", function() return {scalar.select(x.fits, x.scale, 0)} end)
  put_motion(state, x.unactuated, x.vdot)
  if #rows > 0 then
    put_least_pivot(state, fast, function()
      local least = s.system.least
      return {fast and scalar.select(fast:unmasked(), fast:least_pivot(false), least) or least}
    end)
    state:output("pivot", s.system.pivot)
    put_residual(state, s.motions, x.vdot, s.yielded)
  end
  put_bound(state, x.vdot, x.nu_out, Bound.general(form, k, s.system, nb + n), s.system.damped)
  state:output_frames(s.motions, x.vdot)
end

-- variant: {formulation, way, axes} (main.lua); with a fast way before the general one {rows_first = the choice of
-- Fast.choose or EarlyRows.choose, general = the formulation of the other}; equations: a choice of Fast.choose, whose
-- equations alone pivot_min is of.
function Achd.program(context, variant)
  local layout = context.layout
  local state = State.new(context, variant, {
    qd = true, gravity = true, tau = true, wrenches = true, rows = true, armature = true, inertia = true, bounds = true,
  })
  local fast
  if variant.rows_first then
    local make_general
    state:follow(variant.rows_first)
    make_general, fast = rows_first(state, variant.rows_first)
    if not make_general or variant.rows_first.alone then return fast ~= nil end
    state:follow(variant)
  elseif variant.equations then
    state:follow(variant.equations)
    fast = Fast.new(state, variant.equations)
    state:follow(variant)
  end
  local s, rows = row_system(context, state, variant.general or variant.formulation), state.rows
  local own = s.free.own
  local nu, forces, accelerations, by_both, answer = solved(s, s.free.u, s.target, own)
  s.singular = {s.system.singular, s.contacts and s.contacts.singular or false, s.motors and s.motors.unclear or false}
  for j = 1, #rows do ag.label(nu[j], "nu" .. j) end

  -- torques for the motors
  local demand = by_both or demanded(state, rows, s.J, nu, own)
  local x = {}
  x.tau_ctrl, x.unactuated = share_out(state, demand)
  if s.scales then
    x.scale, x.fits, forces, demand = scale_set_points(s, forces, demand, x.tau_ctrl)
    x.tau_ctrl, x.unactuated = share_out(state, demand)
  end

  -- the motion: of the demanded torques, or of the clamped ones with the physical rows solved again
  x.nu_out = table.move(forces, 1, #rows, 1, {})
  local saturated = false
  if layout.saturate then
    saturated = clamp(state, x.tau_ctrl)
    accelerations = solve_clamped(s, x.tau_ctrl, x.nu_out)
    if s.scales then saturated = scalar.lor(scalar.lt(x.scale, 1), scalar.lnot(x.fits)) end
  end
  x.vdot = accelerations()

  put_general(s, x, fast)
  for _, source in ipairs(layout.contributions and Sources.list(state, s.form) or {}) do
    ag.region("contribution of " .. source.name, source.name)
    s.drivers:pass(s.k, source.target, function() return source.u_art end, source.drivers)
    local _, part, moved, both = solved(s, source.u, source.target, source.own)
    Sources.output(state, source.name, moved(), part, both or demanded(state, rows, s.J, part, source.own))
  end

  -- status
  s.singular[#s.singular + 1] = s.system.coarse or false
  state:singular(scalar.any(s.singular))
  if layout.saturate then state:status("SATURATED", saturated) end
  if s.motors then
    state:status("UNACTUATED", s.motors:beyond(state, s.system.acted, answer))
  else
    state:check_unactuated(x.unactuated, rows, x.nu_out)
  end
  state:check_positive(s.form.D)
  state:finish()
end

-- steps: for dachd.lua, dmclp.lua and qp.lua.
return {achd = Achd, steps = {
  demanded = demanded, system_of = system_of, plus_rows = plus_rows, share_out = share_out, at_effort = at_effort,
  clamp_motors = clamp_motors,
}}
