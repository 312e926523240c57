-- SPDX-License-Identifier: MIT
-- qp.lua: one optimum of motors and contacts, in two functions around the solver of the runtime library (achd/qp.h).
--
-- Unknowns x: the motors' torques tau, with friction where a joint may stick (qp_friction.lua), and, of bodies that
-- rest on several points, what these share among themselves.
-- The equalities are eliminated here: physical rows in force hold, so that with unit torques e_i (u of one, achd.lua)
--   vdot = L^-1 D^-1 e,   e = e_0 + sum_i e_i x_i,   nu = nu_0 + sum_i nu_i x_i   (achd.lua's solve, once per motor)
--   qp:    minimise  1/2 (e - u)^T D^-1 (e - u) + sum w/2 |force - wanted|^2  =  1/2 x^T H x + g^T x + constant
--          within  level 0: |tau| <= effort, and of motors that move several joints |T tau| <= effort (gears.lua);
--          1: cones of contacts;  2: limits of joints;  3, ..: artificial rows by priority
--   apply: every output as y_0 + y_x x
-- The first part of the objective is the Gauss function: the deviation from the motion that u, of all other forces,
-- would cause. A level of artificial rows is met in the Gauss metric, least r^T L^-1 r, L = K^T D^-1 K = C diag(d) C^T,
-- r = A^T a - b:
-- its rows are C^-1 r, weighted by 1 / d.
-- A cone of m sides inside that of Coulomb, in the plane of the surface: cos(2 pi k / m) f_1 + sin(2 pi k / m) f_2 <=
-- mu cos(pi / m) f_n. Four sides: |f_t| <= mu f_n / sqrt(2).
-- Sources: Udwadia, Kalaba, Analytical Dynamics, 1996 (Gauss' principle); Escande, Mansard, Wieber, Hierarchical
-- quadratic programming, International Journal of Robotics Research 33, 2014 (levels).

local scalar = require "scalar"
local motion = require "motion"
local constraints = require "constraints"
local State = require "state"
local Free = require "unconstrained"
local affine = require "affine"
local Achd = require "achd"
local near_limit = require "joint_limits"
local stop_in_time = require "stop_in_time"
local Levels = require "levels"
local Friction = require "qp_friction"

local Qp = {
  doc = "The problem of the best torques within limits, for achd_qp; and what the unknowns x add to every output.",
}
local Apply = {doc = "The solve's results for the x that achd_qp found."}

-- Weight of forces of contacts where the layout gives none: this part of 1 / the mass of all that moves [1/kg].
local light = 1e-3
-- Accelerations along a row below this part of what the row and the torque could do alone are rounding; so are
-- set-points.
local rounding = {double = 1e-9, single = 1e-4}
-- A motor whose torque is less than this part of its limit away from it is at it: what achd_qp leaves of rows.
local reached = {double = 1e-9, single = 1e-3}

local zeros, dot = scalar.zeros, scalar.sum_of_products

-- ---- what the layout asks for ----

local function faces(contact) return #contact.tangents == 2 and contact.sides or 2 * #contact.tangents end

-- The motors of linkages at dependent joints whose torque is limited: {linkage, motor: which of its, effort}.
local function limited_of_linkages(chain)
  local list = {}
  for _, l in ipairs(chain.linkages) do
    for m, i in ipairs(l.motors or {}) do
      local effort = chain.dependent[i] and chain.bodies[i].link.joint.effort
      if effort and effort > 0 then list[#list + 1] = {l = l, motor = m, effort = effort} end
    end
  end
  return list
end

-- The unknowns and rows: {driven = joints with a motor or dry friction, at = the unknowns of these by joint, unknowns,
-- rows, levels, rub = joints with dry friction, limited = motors that move several joints, with limits,
-- at_linkages}. The last unknowns are of friction.
function Qp.plan(layout, chain)
  local plan, rubs = {driven = {}, at = {}, unknowns = 0, rows = 0, levels = Levels.limits}, nil
  plan.rub, rubs = Friction.joints(layout)
  for j = 1, chain.nj do
    if not layout.passive[j] or rubs[j] then
      plan.driven[#plan.driven + 1] = j
      plan.at[j] = #plan.driven
      if layout.within[j] and not rubs[j] then plan.rows = plan.rows + 1 end
    end
  end
  plan.limited = layout.asked == "optimum" and layout.limited or {}
  plan.at_linkages = layout.asked == "optimum" and limited_of_linkages(chain) or {}
  plan.rows = plan.rows + #plan.limited + #plan.at_linkages
  plan.unknowns = #plan.driven + #plan.rub
  for _, g in ipairs(layout.groups) do
    local points = g.contact and g.contact.points
    if points then plan.unknowns = plan.unknowns + 3 * #points - 6 end
    if g.contact then plan.rows = plan.rows + (points and #points or 1) * (1 + faces(g.contact)) end
    if g.kind == "artificial" then
      plan.rows = plan.rows + #g.rows
      plan.levels = math.max(plan.levels, Levels.limits + g.priority)
    end
  end
  for _, g in ipairs(layout.joint_groups) do plan.rows = plan.rows + (g.coulomb and 4 or 1) * #g.rows end
  return plan
end

-- ---- forces at several points of a body ----

-- Of the forces f at points, three each: W = G f, force and moment about the origin; G = L Q, L lower triangular, Q
-- with orthonormal rows. Returns G^+, by rows, an orthonormal basis of what G does not see, and L^-1:
--   f = G^+ W + sum_s basis_s z_s,   |f|^2 = |L^-1 W|^2 + |z|^2
local function share(points)
  local n, Q, L = 3 * #points, {}, {}
  local G = {}
  for k = 1, 6 do G[k] = zeros(n) end
  for i, p in ipairs(points) do
    local a = 3 * i - 3
    for k = 1, 3 do G[k][a + k] = 1 end
    G[4][a + 2], G[4][a + 3] = -p[3], p[2]
    G[5][a + 1], G[5][a + 3] = p[3], -p[1]
    G[6][a + 1], G[6][a + 2] = -p[2], p[1]
  end
  local function take_out(v, list, coefficients)
    for _ = 1, 2 do -- twice is enough
      for k, q in ipairs(list) do
        local along = dot(v, q)
        if coefficients then coefficients[k] = (coefficients[k] or 0) + along end
        for i = 1, n do v[i] = v[i] - along * q[i] end
      end
    end
    return math.sqrt(dot(v, v))
  end
  local function scaled(v, by)
    local r = {}
    for i = 1, n do r[i] = v[i] * by end
    return r
  end
  for k = 1, 6 do -- G = L Q
    L[k] = {}
    local v = table.move(G[k], 1, n, 1, {})
    local length = take_out(v, Q, L[k])
    L[k][k], Q[k] = length, scaled(v, 1 / length)
  end
  local basis, all = {}, table.move(Q, 1, 6, 1, {})
  while #all < n do
    local best, longest
    for k = 1, n do
      local v = zeros(n)
      v[k] = 1
      local length = take_out(v, all)
      if not longest or length > longest + 1e-9 then best, longest = v, length end
    end
    local q = scaled(best, 1 / longest)
    basis[#basis + 1], all[#all + 1] = q, q
  end
  local inverse, inverse_L = {}, {{}, {}, {}, {}, {}, {}} -- G^+ = Q^T L^-1
  for c = 1, 6 do
    local y = {}
    for k = 1, 6 do
      local sum = k == c and 1 or 0
      for l = 1, k - 1 do sum = sum - L[k][l] * y[l] end
      y[k] = sum / L[k][k]
      inverse_L[k][c] = y[k]
    end
    for i = 1, n do
      inverse[i] = inverse[i] or {}
      inverse[i][c] = 0
      for k = 1, 6 do inverse[i][c] = inverse[i][c] + Q[k][i] * y[k] end
    end
  end
  local function clean(list)
    for _, row in ipairs(list) do
      for k = 1, #row do row[k] = math.abs(row[k]) < 1e-14 and 0 or row[k] end
    end
  end
  clean(inverse)
  clean(inverse_L)
  clean(basis)
  return inverse, basis, inverse_L
end

-- ---- affine functions of x: {constant, coefficients by unknown} ----

local Affine = {}

function Affine.new(n, constant, coefficient)
  local a = {constant = constant}
  for i = 1, n do a[i] = coefficient(i) end
  return a
end

-- The problem as it grows: unknowns n, rows with level, bounds and weight.
local Problem = {}
Problem.__index = Problem

-- lo <= a.constant + sum a_i x_i <= hi
function Problem:add(a, lo, hi, level, weight)
  local row = {lo = lo, hi = hi, level = level, weight = weight}
  for i = 1, self.n do row[i] = a[i] end
  self.rows[#self.rows + 1] = row
end

-- Forces of the environment: of each physical group by its rows, or at its points; {group, rows (of the state), forces,
-- length: forces whose squares have the same sum, but for the shares}.
local function forces_of(state, plan, physical, at, nu_0, nu)
  local list, next_share = {}, #plan.driven
  for _, g in ipairs(state.groups) do
    if g.kind == "physical" then
      local of = {group = g, rows = {}, forces = {}}
      for j, row in ipairs(physical) do
        if row.group == g then of.rows[#of.rows + 1] = {row = row, at = at[j], index = j} end
      end
      local n, driven = plan.unknowns, #plan.driven
      local function by_torques(make)
        return function(i) return i <= driven and make(nu[i]) or 0 end
      end
      if g.contact and g.contact.points then
        ag.region("contact: forces at the points of " .. g.name, g.name)
        local inverse, basis, inverse_L = share(g.contact.points)
        local function sum_of(matrix, m, forces)
          local sum = 0
          for _, r in ipairs(of.rows) do sum = sum + matrix[m][constraints.axis_of[r.row.name]] * forces[r.index] end
          return sum
        end
        local function all_of(matrix, m)
          return Affine.new(n, sum_of(matrix, m, nu_0),
            by_torques(function(forces) return sum_of(matrix, m, forces) end))
        end
        for m = 1, #inverse do
          local f = all_of(inverse, m)
          for s = 1, #basis do f[next_share + s] = basis[s][m] end
          of.forces[m] = f
        end
        of.length = {}
        for k = 1, #inverse_L do of.length[k] = all_of(inverse_L, k) end
        of.shares, of.first = #basis, next_share
        next_share = next_share + #basis
      else
        for k, r in ipairs(of.rows) do
          of.forces[k] = Affine.new(n, nu_0[r.index], by_torques(function(forces) return forces[r.index] end))
        end
      end
      list[#list + 1] = of
    end
  end
  return list
end

-- The cone of one point: forces f_n, f_t of the group's rows there.
local function add_cone(problem, contact, normal, tangents, none)
  problem:add(normal, -normal.constant, none, Levels.cones, 1)
  local m = contact.sides
  local function face(c, s, reach)
    local a = Affine.new(problem.n, 0, function(i)
      return c * tangents[1][i] + (s == 0 and 0 or s * tangents[2][i]) - reach * normal[i]
    end)
    local constant = c * tangents[1].constant + (s == 0 and 0 or s * tangents[2].constant) - reach * normal.constant
    problem:add(a, -none, -constant, Levels.cones, 1)
  end
  if #tangents == 1 then
    face(1, 0, contact.mu)
    face(-1, 0, contact.mu)
  elseif #tangents == 2 then
    local reach = contact.mu * math.cos(math.pi / m)
    for k = 0, m - 1 do
      local c, s = math.cos(2 * math.pi * k / m), math.sin(2 * math.pi * k / m)
      face(math.abs(c) < 1e-15 and 0 or c, math.abs(s) < 1e-15 and 0 or s, reach)
    end
  end
end

local function add_cones(problem, list, none)
  for _, of in ipairs(list) do
    local contact = of.group.contact
    if contact then
      ag.region("contact: cone of " .. of.group.name, of.group.name)
      if contact.points then
        local axis = {}
        for k, name in ipairs(of.group.rows) do axis[k] = constraints.axis_of[name] end
        for p = 1, #contact.points do
          local function at(k) return of.forces[3 * p - 3 + axis[k]] end
          local tangents = {}
          for t, k in ipairs(contact.tangents) do tangents[t] = at(k) end
          add_cone(problem, contact, at(contact.normal), tangents, none)
        end
      else
        local tangents = {}
        for t, k in ipairs(contact.tangents) do tangents[t] = of.forces[k] end
        add_cone(problem, contact, of.forces[contact.normal], tangents, none)
      end
    end
  end
end

-- Row j of tasks with a range, b <= A^T a <= upper: as it stands, weighted by its own 1 / L_jj.
local function add_range(problem, tasks, j, level, none)
  local row, seen = tasks.rows[j], tasks.seen[j]
  local free = row.mask and scalar.eq(row.mask, 0) or false
  local a = Affine.new(problem.n, 0, function(i) return scalar.select(tasks.reach[j], seen[i], 0) end)
  local lo, hi = -seen.constant, row.group.upper[row.k] - row.b - seen.constant
  local there = scalar.land(tasks.reach[j], scalar.lnot(free))
  problem:add(a, scalar.select(free, -none, lo), scalar.select(free, none, hi), level,
    scalar.select(there, scalar.divide(1, tasks.L[j][j]), 1))
end

-- A row that depends on those before it in its level has no coefficients: what is left of them is rounding, or so small
-- that to follow it would take torques without bound. What it asks for beyond those rows, b, stays: the level yields by
-- it, and is not reported as met.
-- tasks: {rows of the artificial groups, seen[j] = A_j^T a - b_j as an affine function, and the sizes of what it sums
-- up; L:
-- their coupling; reach: whether they are in reach}.
local function add_tasks(state, problem, tasks)
  local rows, L, seen, sizes, reach = tasks.rows, tasks.L, tasks.seen, tasks.sizes, tasks.reach
  local none = ag.no_bound(state.single)
  local levels, ranges, most = {}, {}, 0
  for j, row in ipairs(rows) do
    local level = Levels.limits + row.group.priority
    local to = row.group.upper and ranges or levels
    to[level] = to[level] or {}
    table.insert(to[level], j)
    most = math.max(most, level)
  end
  for level = 1, most do
    local list = levels[level] or {}
    if #list > 0 then ag.region("artificial rows of priority " .. level - Levels.limits, "tasks") end
    local c, l, made = {}, {}, {}
    for k = 1, #list do c[k], l[k] = {}, {} end
    for k, j in ipairs(list) do
      local d, mask = L[j][j], rows[j].mask
      for i = 1, k - 1 do d = d - c[k][i] * l[k][i] end
      local independent = scalar.land(reach[j], scalar.above_share(state.layout.singular_threshold, L[j][j], d,
        "singular_threshold", "a pivot below this share of its L_jj is that of rows all but dependent"))
      local free = mask and scalar.eq(mask, 0) or false
      local inverse = scalar.select(scalar.land(independent, scalar.lnot(free)), scalar.divide(1, d), 0)
      for m = k + 1, #list do
        local v = L[list[m]][j]
        for i = 1, k - 1 do v = v - c[m][i] * l[k][i] end
        c[m][k], l[m][k] = v, v * inverse
      end
      local row, size = {constant = seen[j].constant}, sizes[j]
      for i = 1, problem.n do row[i] = scalar.select(independent, seen[j][i], 0) end
      for p = 1, k - 1 do
        row.constant = row.constant - l[k][p] * made[p].constant
        size = size + scalar.abs(l[k][p]) * made[p].size
        for i = 1, problem.n do row[i] = row[i] - scalar.select(independent, l[k][p] * made[p][i], 0) end
      end
      row.size = size
      made[k] = row
      local rest = scalar.abs(row.constant)
      local least = scalar.share(problem.rounding, size, "rounding", "of what a row is the sum of: less is rounding")
      local b = scalar.select(scalar.lt(rest, least), 0, -row.constant)
      local weight = scalar.select(scalar.land(independent, scalar.lnot(free)), inverse, 1)
      local lo, hi = scalar.select(free, -none, b), scalar.select(free, none, b)
      for _, bound in ipairs {lo, hi} do scalar.no_bound(bound, none) end
      problem:add(row, lo, hi, level, weight)
    end
    if ranges[level] then ag.region("ranges of priority " .. level - Levels.limits, "tasks") end
    for _, j in ipairs(ranges[level] or {}) do add_range(problem, tasks, j, level, none) end
  end
end

-- ---- qp ----

local function of(list, numbers)
  local r = {}
  for i, j in ipairs(numbers) do r[i] = list[j] end
  return r
end

-- The rows of the state, and the answer of the physical ones to the other forces and to unit torques of the motors: {k,
-- sees, target, physical, artificial: numbers of rows, system; nu_0, e_0; nu, e, scaled_e = D^-1 e, mobility by motor;
-- unit(j): u}.
local function answer_of_rows(state, free, formulation, driven)
  local form, chain, d = free.form, state.chain, {physical = {}, artificial = {}, target = {}}
  local inv, no_torque = form.inv, form:free(free.tau_phys, free.physical) -- u without the motors' torques
  d.no_torque = no_torque
  d.k = formulation == "joint" and form:project_columns(state:jacobian()) or state:project_rows(form)
  d.sees = state:seen(free.motion)
  for j, row in ipairs(state.rows) do
    table.insert(row.group.kind == "physical" and d.physical or d.artificial, j)
    d.target[j] = row.b - d.sees[j]
  end
  d.rows_p = of(state.rows, d.physical)
  local k_p, target_p = of(d.k, d.physical), of(d.target, d.physical)
  d.system = Achd.steps.system_of(state, d.rows_p, {k = k_p, inv = inv, plain = true}, no_torque, target_p)
  d.nu_0 = d.system.solve(no_torque, target_p)
  d.e_0 = Achd.steps.plus_rows(no_torque, k_p, d.nu_0)
  d.unit = affine.once(function(j) return form:free(state:unit_force(j), {}) end)
  d.nu, d.e, d.scaled_e, d.mobility = {}, {}, {}, {}
  for i, j in ipairs(driven) do
    ag.region("a unit torque of " .. chain.joint_names[j], chain.coordinates[chain.nb + j].id)
    local unit = d.unit(j)
    d.nu[i] = d.system.solve(unit, zeros(#d.physical))
    d.e[i] = Achd.steps.plus_rows(unit, k_p, d.nu[i])
    d.scaled_e[i], d.mobility[i] = {}, 0
    for c = 1, #inv do
      d.scaled_e[i][c] = d.e[i][c] * inv[c]
      d.mobility[i] = d.mobility[i] + unit[c] * inv[c] * unit[c]
    end
  end
  return d
end

-- Between what bounds the unknowns may change the acceleration `free` of joint `at` of a group of limits. Where both
-- sides want more than there is between them, which is only beyond a limit, the upper one counts.
local function limits_of(state, group, at, free, none)
  if group.side then
    local least, most = stop_in_time(state, group, at, "lower"), stop_in_time(state, group, at, "upper")
    return scalar.min(least, most) - free, most - free
  end
  local lower, upper, b = near_limit(state, group, at)
  local lo, hi = scalar.select(lower, b - free, -none), scalar.select(upper, b - free, none)
  for _, bound in ipairs {lo, hi} do scalar.no_bound(bound, none) end
  return lo, hi
end

-- Level 2. vdot_0, vdot(i): accelerations by coordinate at x = 0, and what a unit of x_i adds.
local function add_joint_limits(state, problem, d, inv, vdot_0, vdot)
  local none, nb = ag.no_bound(state.single), state.chain.nb
  for _, g in ipairs(state.joint_groups) do
    if g.margin or g.side then
      ag.region("limits of joints", "limits")
      for at, j in ipairs(g.joints) do
        local own, unit = 0, d.unit(j)
        for c = 1, #inv do own = own + unit[c] * inv[c] * unit[c] end
        local row = Affine.new(problem.n, 0, function(i) return vdot(i)[nb + j] end)
        local lo, hi = limits_of(state, g, at, vdot_0[nb + j], none)
        problem:add(row, lo, hi, Levels.limits, scalar.divide(1, own))
      end
    end
  end
end

-- Levels 3, ..: what the artificial rows see, as affine functions, and these in levels.
local function add_artificial(state, problem, d, inv, driven)
  local k_a, rows_a = of(d.k, d.artificial), of(state.rows, d.artificial)
  ag.region("artificial rows: what they see", "tasks")
  local L, scaled = constraints.gram(k_a, inv, d.no_torque, of(d.target, d.artificial))
  local diagonal, masks, seen, sizes = {}, {}, {}, {}
  for j, row in ipairs(rows_a) do diagonal[j], masks[j] = L[j][j], row.mask or false end
  local reach = constraints.reached(diagonal, masks,
    constraints.scales(state.chain, rows_a, k_a, inv, constraints.reach_threshold(state.single)))
  for j, row in ipairs(rows_a) do
    local at = d.artificial[j]
    local constant, size = -d.target[at], scalar.abs(row.b) + scalar.abs(d.sees[at])
    for c = 1, #inv do
      local part = scaled[j][c] * d.e_0[c]
      constant, size = constant + part, size + scalar.abs(part)
    end
    sizes[j] = size
    seen[j] = Affine.new(problem.n, constant, function(i)
      if i > #driven then return 0 end
      local a = dot(scaled[j], d.e[i])
      if scalar.is_zero(a) then return 0 end
      local square = a * a
      local least = scalar.share(problem.rounding * problem.rounding, L[j][j] * d.mobility[i], "rounding_squared",
        "of the square of what the torque could do at most: less is rounding")
      return scalar.select(scalar.lt(square, least), 0, a)
    end)
  end
  add_tasks(state, problem, {rows = rows_a, L = L, seen = seen, sizes = sizes, reach = reach})
end

-- The forces of a group's contact in the objective: weight / 2 |force - wanted|^2.
local function add_forces(H, g, group, weight_lin, weight_ang, driven)
  local wanted = group.group.wanted
  for m, f in ipairs(group.forces) do
    local row = group.rows[m]
    local angular = not group.shares and row.row.group.joints == nil and row.row.name:match("^ang")
    local w = group.group.weight or (angular and weight_ang or weight_lin)
    local mask = group.group.mask and group.group.mask[group.shares and group.group.contact.normal or m]
    local want = wanted and wanted[m] or 0
    if mask then want = want * mask end
    local function add_square(a)
      for i = 1, #driven do
        local wa = w * a[i]
        for l = 1, i do H[i][l] = H[i][l] + wa * a[l] end
      end
    end
    if not group.shares then add_square(f) end
    for _, a in ipairs(group.shares and m == 1 and group.length or {}) do add_square(a) end
    for i = 1, #driven do g[i] = g[i] + w * f[i] * (f.constant - want) end
    for s = 1, group.shares or 0 do -- orthonormal, and orthogonal to the rest
      local i = group.first + s
      g[i] = g[i] - w * f[i] * want
      H[i][i] = w
    end
  end
end

-- The objective's H and g. u: of all other forces.
local function objective(chain, problem, d, contacts, driven, u)
  ag.region("objective: Gauss function", "gauss")
  local mass = 0
  for i = chain.nb > 0 and 0 or 1, chain.n do mass = mass + scalar.value(chain.bodies[i].whole_inertia.m) end
  local weight_lin = light / (mass > 0 and mass or 1)
  local weight_ang = weight_lin / (chain.reach * chain.reach)
  local H, g = {}, {}
  for i = 1, problem.n do H[i], g[i] = zeros(i), 0 end
  for i = 1, #driven do
    for l = 1, i do H[i][l] = dot(d.scaled_e[i], d.e[l]) end
    for c = 1, #u do g[i] = g[i] + d.scaled_e[i][c] * (d.e_0[c] - u[c]) end
  end
  for _, group in ipairs(contacts) do
    ag.region("objective: forces of " .. group.group.name, group.group.name)
    add_forces(H, g, group, weight_lin, weight_ang, driven)
  end
  return H, g
end

-- Outputs at x = 0. Returns by output what a unit of each unknown adds (affine.lua).
local function put_outputs(state, d, free, contacts, vdot_0, vdot)
  local rows, nb, n, inv, driven = state.rows, state.chain.nb, state.chain.nj, free.form.inv, #d.e
  local function joints(list) return table.move(list, nb + 1, nb + n, 1, {}) end
  local position = {} -- by row: of the physical ones
  for i, j in ipairs(d.physical) do position[j] = i end
  local columns = {
    qdd = function(i) return joints(vdot(i)) end,
    nu = function(i)
      local r = {}
      for j = 1, #rows do r[j] = position[j] and i <= driven and d.nu[i][position[j]] or 0 end
      return r
    end,
    residual = function(i)
      local r = {}
      for j = 1, #rows do r[j] = i <= driven and dot(d.k[j], d.scaled_e[i]) or 0 end
      return r
    end,
    ["base.acc"] = function(i) return state.base:outward(vdot(i)) end,
  }
  state:output("qdd", joints(vdot_0))
  local forces = {}
  for j = 1, #rows do forces[j] = position[j] and d.nu_0[position[j]] or 0 end
  state:output("nu", forces)
  state:output("tau_friction", function()
    local t = {}
    for i = 1, n do t[i] = Friction.known(state, i) end
    return t
  end)
  state:output("residual", function()
    local r = {}
    for j = 1, #rows do
      r[j] = -d.target[j]
      for c = 1, #inv do r[j] = r[j] + d.k[j][c] * inv[c] * d.e_0[c] end
    end
    return r
  end)
  if state.base then state:put_on_base("base.acc", vdot_0) end
  for _, group in ipairs(contacts) do
    if group.shares then
      local values, name = {}, group.group.name
      for m, f in ipairs(group.forces) do values[m] = f.constant end
      state:put("points.", values, {id = name, of = name})
      columns["points." .. name] = function(i)
        local r = {}
        for m, f in ipairs(group.forces) do r[m] = f[i] end
        return r
      end
    end
  end
  state:output_frames(free.motion, vdot_0)
  local added = affine.once(function(i) return motion.added_accelerations(state.robot, vdot(i)) end)
  for _, f in ipairs(state.layout.frame_outputs.acc) do
    columns["acc." .. f.id] = function(i) return state:added_acceleration(f, added(i)) end
  end
  return columns
end

local function put_problem(state, problem, H, g)
  local flat, A, lo, hi, level, weight = {}, {}, {}, {}, {}, {}
  for i = 1, problem.n do table.move(H[i], 1, i, #flat + 1, flat) end
  for j, row in ipairs(problem.rows) do
    table.move(row, 1, problem.n, #A + 1, A)
    lo[j], hi[j], level[j], weight[j] = row.lo, row.hi, row.level, row.weight
  end
  local no_bound = {none = string.format("%g", ag.no_bound(state.single))}
  local function put(key, values) if #values > 0 then state:put(key, values, no_bound) end end
  put("H", flat)
  put("g", g)
  put("A", A)
  put("lo of A x", lo)
  put("hi of A x", hi)
  put("level", level)
  put("weight", weight)
end

-- Level 0: limits of motors. A joint that may stick has its own (qp_friction.lua).
local function add_limits(state, problem, plan)
  local layout = state.layout
  for i, j in ipairs(plan.driven) do
    local limit = layout.within[j]
    if limit and not state.rubbed[j] then
      problem:add(Affine.new(problem.n, 0, function(l) return l == i and 1 or 0 end), -limit, limit, 0, 1)
    end
  end
  for _, m in ipairs(plan.limited) do
    local most, T = layout.motors[m].effort, layout.gears.T[m]
    local row = Affine.new(problem.n, 0, function(i) return plan.driven[i] and T[plan.driven[i]] or 0 end)
    problem:add(row, -most, most, 0, 1)
  end
  for _, limit in ipairs(plan.at_linkages) do
    for _, of in ipairs(state:motor_maps()) do
      if of.l.name == limit.l.name then
        local row = Affine.new(problem.n, 0, function() return 0 end)
        for b, body in ipairs(of.l.independent) do
          local at = plan.at[state.chain.joint_of[body]]
          if at then row[at] = of.map[limit.motor][b] end
        end
        problem:add(row, -limit.effort, limit.effort, 0, 1)
      end
    end
  end
end

-- variant: {formulation, way, axes} (main.lua)
function Qp.program(context, variant)
  local layout = context.layout
  local state = State.new(context, variant, {
    qd = true, gravity = true, tau = true, wrenches = true, rows = true, armature = true, inertia = true, bounds = true,
  })
  local chain, plan = state.chain, Qp.plan(layout, state.chain)
  local driven = plan.driven
  local friction = Friction.read(state)
  local free = Free.new(state, variant.formulation)
  local form, inv = free.form, free.form.inv
  local d = answer_of_rows(state, free, variant.formulation, driven)
  local problem = setmetatable({
    n = plan.unknowns, rows = {}, rounding = rounding[state.single and "single" or "double"],
  }, Problem)

  local vdot_0 = form:accelerate(d.e_0)
  local vdot = affine.once(function(i)
    return i <= #driven and form:accelerate(d.e[i]) or zeros(chain.nb + chain.nj)
  end)
  local slack = plan.unknowns - #friction -- level 0; friction comes first, for achd_qp_friction
  Friction.add(state, problem, friction, {
    at = plan.at, slack = slack, mobility = d.mobility, vdot_0 = vdot_0, vdot = vdot,
  })
  add_limits(state, problem, plan)
  local contacts = forces_of(state, plan, d.rows_p, d.physical, d.nu_0, d.nu)
  add_cones(problem, contacts, ag.no_bound(state.single)) -- level 1
  add_joint_limits(state, problem, d, inv, vdot_0, vdot)
  add_artificial(state, problem, d, inv, driven)
  local H, g = objective(chain, problem, d, contacts, driven, free.u)
  Friction.add_to_objective(state, friction, slack, H, g)

  local columns = put_outputs(state, d, free, contacts, vdot_0, vdot)
  local parts = affine.put(state, {
    name = "x", count = problem.n, shape = "list", length = function(_, all) return all end,
    at = ", at x = 0", adds = ": what a unit of each unknown adds, unknown by unknown",
  }, columns)
  put_problem(state, problem, H, g)
  local slips = Friction.put(state, friction, #driven)

  local acted = {}
  for _, condition in pairs(d.system.acted) do acted[#acted + 1] = condition end
  if #d.physical > 0 then state:status("SINGULAR", scalar.any(acted)) end
  state:check_positive(form.D)
  local bad = false
  for _, group in ipairs(contacts) do
    local mu = group.group.contact and group.group.contact.mu
    if mu then bad = scalar.lor(bad, scalar.lt(mu, 0)) end
  end
  for _, row in ipairs(state.rows) do
    local upper = row.group.upper
    if upper then bad = scalar.lor(bad, scalar.lt(upper[row.k], row.b)) end
  end
  for _, f in ipairs(friction) do
    if not scalar.is_number(f.most) then bad = scalar.lor(bad, scalar.lt(f.most, 0)) end
  end
  local loops = state:put_for_apply()
  state:finish(bad)
  return {loops = loops, parts = parts, plan = plan, unknowns = problem.n, slips = slips}
end

-- ---- apply ----

function Apply.variants() return {{formulation = "linear", way = "none", axes = "none", leaf = "link"}} end

-- Clamps the torques of motors that move several joints, which rounding can have left beyond a limit, and with them
-- tau. Returns whether one is at its limit.
local function clamp_motors(state, plan, tau)
  local at_limit, layout = false, state.layout
  if #plan.limited == 0 then return at_limit end
  ag.region("limits of motors that move several joints", "motors")
  local share = 1 - reached[state.single and "single" or "double"]
  local _, torques = Achd.steps.clamp_motors(state, tau)
  for _, m in ipairs(plan.limited) do
    local limit, name = share * layout.motors[m].effort, layout.motors[m].name
    local inside = scalar.lt(scalar.abs(torques[m]), limit)
    scalar.limit(inside, limit, "reached_motor" .. m,
      "motor " .. name .. " is at its limit where its torque is no less")
    at_limit = scalar.lor(at_limit, scalar.lnot(inside))
  end
  state.clamped_motors = torques
  return at_limit
end

function Apply.program(context)
  local layout, info = context.layout, context.info.qp
  local state = State.bare(context)
  local x, free, map = state:read_optimum(info)
  local friction = info.slips and Friction.solved(state, info.slips, info.plan.rub, info.plan.at, x) or {}
  ag.region("y_0 + y_x x")
  for _, p in ipairs(info.parts) do
    local values = {}
    for k = 1, p.count do
      values[k] = free[p.whole.name][k]
      for i = 1, p.mapped and info.unknowns or 0 do
        local at = (i - 1) * p.count + k
        if p.entries[at] then values[k] = values[k] + map[p.whole.name][at] * x[i] end
      end
      if p.whole.name == "tau_friction" and friction[k] then values[k] = values[k] + friction[k] end
    end
    state:put_record(setmetatable({values = values}, {__index = p.whole}))
  end
  local tau, saturated = zeros(state.chain.nj), false
  for i, j in ipairs(info.plan.driven) do
    local limit = layout.within[j]
    local motor = not layout.passive[j] and (friction[j] and x[i] - friction[j] or x[i])
    tau[j] = motor and limit and scalar.clamp(motor, limit) or motor or 0
    if motor and limit then
      local inside = scalar.lt(scalar.abs(tau[j]), limit)
      for _, at in ipairs {tau[j], inside} do Achd.steps.at_effort(state, at, limit, j) end
      saturated = scalar.lor(saturated, scalar.lnot(inside))
    end
  end
  saturated = scalar.lor(clamp_motors(state, info.plan, tau), saturated)
  state:output("tau_ctrl", tau)
  state:output_motors(tau, "tau_ctrl")
  state:apply_linkages("qp", info.loops, tau)
  state:status("SATURATED", saturated)
  state:finish_outputs()
end

return {qp = Qp, apply = Apply}
