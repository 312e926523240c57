-- SPDX-License-Identifier: MIT
-- linkages.lua: closed loops whose dependent joints follow from the independent ones, as joints that mimic others do,
-- by ratios that depend on the position.
--
-- With q_i of the independent joints, q_d of the dependent ones, r(q_i, q_d) the residual of the ties and rods, as many
-- numbers as dependent joints, and J_d, J_i its Jacobians:
--   q_d <- q_d - J_d^-1 r                          Newton's steps, a fixed number of them
--   qd_d = P qd_i,  P = -J_d^-1 J_i                 velocities
--   qdd_d = P qdd_i + c,  J_d c = -(J-dot qd)       accelerations
-- Joints that turn are known by cosine and sine. A step turns them by 2 atan(x / 2) in place of x, which is the same to
-- the third order and takes no series:  cos = (1 - t^2) / (1 + t^2),  sin = 2 t / (1 + t^2),  t = x / 2.
-- Source: Featherstone, Rigid Body Dynamics Algorithms, 2008, chapters 3 and 8 (G and g).

local scalar = require "scalar"
local spatial = require "spatial"
local motion = require "motion"
local constraints = require "constraints"
local Tie = require "ties"
local Rod = require "rods"

local Linkages = {}

-- Every body's joint as a coordinate of its own, and no base: loops have their own motion only.
function Linkages.tree_of(chain)
  local own, ones = {}, {}
  for i = 1, chain.n do own[i], ones[i] = i, 1 end
  return setmetatable({nb = 0, nj = chain.n, joint_of = own, ratio = ones, embedded = false}, {__index = chain})
end

-- The robot of the bodies in the loops alone.
local function robot_of(chain, tree, bodies, at)
  local robot = {n = chain.n, nb = 0, bodies = {}, chain = tree}
  for i in pairs(bodies) do
    robot.bodies[i] = motion.body(chain.bodies[i], at.q[i], at.qd and at.qd[i], at.c[i], at.s[i])
  end
  return robot
end

-- The equations of a linkage at a place: {r, J by row and body; ties}.
local function equations(l, robot)
  local E = {r = {}, J = {}, ties = {}}
  for k, t in ipairs(l.ties) do
    if t.length then
      local rod = Rod.new(robot, t)
      E.r[#E.r + 1], E.J[#E.J + 1], E.ties[k] = rod.residual, rod:jacobian(), {rod = rod}
    else
      local tie = Tie.new(robot, {name = l.name, rows = t.rows, axes = "link", frame = t.frame, to = t.to, b = {}})
      local rows = constraints.list {tie.group}
      local J = constraints.jacobian(robot, tie.group, rows, "wrench", {
        wrenches_of = function(row) return tie:wrenches(row) end, stop = tie.stop,
      })
      for n, x in ipairs(tie:residual()) do E.r[#E.r + 1], E.J[#E.J + 1] = x, J[n] end
      E.ties[k] = {tie = tie, rows = rows}
    end
  end
  return E
end

-- The motion that velocities alone cause, of the bodies on the way to one, into motions by body.
local function drifting(robot, body, stop, motions)
  local way = motion.way(robot, body, stop)
  for k = #way, 1, -1 do
    local b = robot.bodies[way[k]]
    motions[way[k]] = motion.outward_step(b, motions[b.parent])
  end
end

-- J-dot qd of every row.
local function drift_of(E, robot)
  local list, rest = {}, motion.acceleration_tensor(spatial.zero, spatial.zero)
  for _, e in ipairs(E.ties) do
    if e.rod then
      list[#list + 1] = e.rod:drift()
    else
      local tie = e.tie
      local motions = {[tie.stop] = {w = spatial.zero, wd = spatial.zero, a = spatial.zero, U = rest}}
      drifting(robot, tie.frame.body, tie.stop, motions)
      drifting(robot, tie.to.body, tie.stop, motions)
      for _, x in ipairs(tie:seen(e.rows, motions)) do list[#list + 1] = x end
    end
  end
  return list
end

-- ---- systems of a few equations ----

-- Rows and columns of a matrix by blocks that have nothing to do with each other: {{rows, columns}}.
local function blocks_of(A)
  local n, of, blocks = #A, {}, {}
  for i = 1, n do of[i] = i end
  local function leader(i)
    while of[i] ~= i do i = of[i] end
    return i
  end
  local first = {} -- row that has an element in a column
  for j = 1, n do
    for i = 1, n do
      if not scalar.is_zero(A[i][j]) then
        first[j] = first[j] or i
        of[leader(i)] = leader(first[j])
      end
    end
  end
  local at = {}
  for i = 1, n do
    local b = at[leader(i)] or {rows = {}, columns = {}}
    if not at[leader(i)] then blocks[#blocks + 1] = b end
    at[leader(i)] = b
    b.rows[#b.rows + 1] = i
  end
  for j = 1, n do
    if first[j] then table.insert(at[leader(first[j])].columns, j) end
  end
  return blocks
end

local function cofactors(A)
  local n = #A
  if n == 1 then return {{1}}, A[1][1] end
  if n == 2 then
    return {{A[2][2], -A[1][2]}, {-A[2][1], A[1][1]}}, A[1][1] * A[2][2] - A[1][2] * A[2][1]
  end
  local c = {{}, {}, {}}
  for i = 1, 3 do
    for j = 1, 3 do
      local a, b, d, e = i % 3 + 1, (i + 1) % 3 + 1, j % 3 + 1, (j + 1) % 3 + 1
      c[j][i] = A[a][d] * A[b][e] - A[a][e] * A[b][d]
    end
  end
  return c, A[1][1] * c[1][1] + A[1][2] * c[2][1] + A[1][3] * c[3][1]
end

-- Less than that is no divisor: in its place stands one that keeps numbers finite.
local least_divisor = 1e-30
local function divisor(x, bad)
  if bad ~= nil then return scalar.select(bad, 1, x) end
  local none = scalar.lt(scalar.abs(x), least_divisor)
  return scalar.limit(scalar.select(none, 1, x), least_divisor, "no_divisor", "of a step of a linkage: less is 0")
end

-- Up to three equations by cofactors: {solve, squares: of what is left of the rows, their product}.
local function by_cofactors(A, sizes, threshold)
  local c, det = cofactors(A)
  local whole = 1
  for _, s in ipairs(sizes) do whole = whole * s end
  local squared = det * det
  local bad = threshold and scalar.lnot(scalar.lt(threshold * whole, squared)) or nil
  local inverse = scalar.divide(1, 1) / divisor(det, bad)
  return {bad = bad or false, pivot = function() return squared / scalar.select(scalar.lt(0, whole), whole, 1) end,
    solve = function(b)
      local x = {}
      for i = 1, #A do x[i] = inverse * scalar.sum_of_products(c[i], b) end
      return x
    end}
end

-- More by rows made orthogonal one after the other, A = L Q, the rows of Q not normed (Gram and Schmidt).
local function by_rows(A, sizes, threshold)
  local n, Q, L, inverse, bad, least = #A, {}, {}, {}, false, nil
  for i = 1, n do
    Q[i], L[i] = table.move(A[i], 1, n, 1, {}), {}
    for j = 1, i - 1 do
      L[i][j] = scalar.sum_of_products(Q[i], Q[j]) * inverse[j]
      for k = 1, n do Q[i][k] = Q[i][k] - L[i][j] * Q[j][k] end
    end
    local square = scalar.sum_of_products(Q[i], Q[i])
    local weak = threshold and scalar.lnot(scalar.lt(threshold * sizes[i], square)) or nil
    bad = weak and scalar.lor(bad, weak) or bad
    inverse[i] = 1 / divisor(square, weak)
    local pivot = square / scalar.select(scalar.lt(0, sizes[i]), sizes[i], 1)
    least = least and scalar.min(least, pivot) or pivot
  end
  return {bad = bad, pivot = function() return least end, solve = function(b)
    local y, x = {}, scalar.zeros(n)
    for i = 1, n do
      y[i] = b[i]
      for j = 1, i - 1 do y[i] = y[i] - L[i][j] * y[j] end
      for k = 1, n do x[k] = x[k] + inverse[i] * y[i] * Q[i][k] end
    end
    return x
  end}
end

-- The residual at which a linkage is closed.
function Linkages.tolerance(l, single) return l.tolerance or (single and 1e-5 or 1e-9) end

-- A x = b by blocks. sizes: by row the square of what it is judged against; threshold: below that share of these a
-- block is singular, nil: it is not asked. Returns {solve(b), bad: a condition, pivot(): the least share, blocks}.
function Linkages.system(A, sizes, threshold)
  local parts, bad, blocks = {}, false, blocks_of(A)
  for _, block in ipairs(blocks) do
    local B, own = {}, {}
    for a, i in ipairs(block.rows) do
      B[a], own[a] = {}, sizes[i]
      for d, j in ipairs(block.columns) do B[a][d] = A[i][j] end
    end
    local square = #block.rows == #block.columns
    local part = not square and {bad = true, pivot = function() return 0 end,
        solve = function() return scalar.zeros(#block.columns) end} or
      (#B <= 3 and by_cofactors or by_rows)(B, own, threshold)
    part.block = block
    parts[#parts + 1] = part
    bad = scalar.lor(bad, part.bad)
  end
  return {bad = bad, blocks = blocks, pivot = function()
    local least
    for _, part in ipairs(parts) do
      local x = part.pivot()
      least = least and scalar.min(least, x) or x
    end
    return least
  end, solve = function(b)
    local x = scalar.zeros(#A)
    for _, part in ipairs(parts) do
      local own = {}
      for a, i in ipairs(part.block.rows) do own[a] = b[i] end
      for d, y in ipairs(part.solve(own)) do x[part.block.columns[d]] = y end
    end
    return x
  end}
end

-- ---- positions ----

-- Cosine and sine turned by 2 atan(x / 2).
local function turned(c, s, x)
  local t = 0.5 * x
  local sine = x / (1 + t * t)
  local versine = t * sine -- 1 - cos
  return c - (versine * c + sine * s), s - (versine * s - sine * c)
end

-- Columns of J: of bodies. chain: where slides count as turns with the robot's reach as lever; nil: as they are.
local function columns(J, bodies, chain)
  local part = {}
  for k, row in ipairs(J) do
    part[k] = {}
    for a, i in ipairs(bodies) do
      part[k][a] = chain and chain.bodies[i].prismatic and chain.reach * row[i] or row[i]
    end
  end
  return part
end

-- By row, the square of what all joints of the loops move along it.
local function sizes_of(l, J, chain)
  local sizes = {}
  for _, list in ipairs {l.dependent, l.independent} do
    for k, row in ipairs(columns(J, list, chain)) do
      sizes[k] = (sizes[k] or 0) + scalar.sum_of_products(row, row)
    end
  end
  return sizes
end

-- J_d x = b at the solved position.
function Linkages.dependent(s, b)
  local x = s.system.solve(b)
  for a, i in ipairs(s.l.dependent) do
    if s.chain.bodies[i].prismatic then x[a] = s.chain.reach * x[a] end
  end
  return x
end

-- Newton's steps from a place {q, c, s by body}, in place.
local function closed(l, chain, tree, bodies, at)
  for step = 1, l.steps do
    ag.region("linkage " .. l.name .. ": step " .. step .. " of Newton", l.name)
    local E = equations(l, robot_of(chain, tree, bodies, at))
    local change = Linkages.system(columns(E.J, l.dependent), scalar.zeros(#E.r), nil).solve(E.r)
    for a, i in ipairs(l.dependent) do
      if chain.bodies[i].prismatic then
        at.q[i] = at.q[i] - change[a]
      else
        at.c[i], at.s[i] = turned(at.c[i], at.s[i], -change[a])
      end
    end
  end
end

-- Which bodies are in the loops of a linkage.
local function bodies_of(l)
  local bodies = {}
  for _, list in ipairs {l.dependent, l.independent} do
    for _, i in ipairs(list) do bodies[i] = true end
  end
  return bodies
end

-- The positions of a linkage's dependent joints solved for, into at = {q, c, s by body}. Returns what is known there:
-- {l, E, J_i, system, bad: a condition, residual}. single: in float.
function Linkages.solve(l, chain, at, single)
  local tree, bodies = Linkages.tree_of(chain), bodies_of(l)
  closed(l, chain, tree, bodies, at)
  ag.region("linkage " .. l.name .. ": closed", l.name)
  local E, residual = equations(l, robot_of(chain, tree, bodies, at)), 0
  for _, x in ipairs(E.r) do residual = scalar.max(residual, scalar.abs(x)) end
  local threshold = single and 1e-6 or 1e-8
  local s = {l = l, chain = chain, tree = tree, bodies = bodies, E = E, residual = residual}
  s.system = Linkages.system(columns(E.J, l.dependent, chain), sizes_of(l, E.J, chain), threshold)
  l.blocks = l.blocks or s.system.blocks -- where numbers are nodes
  local tolerance = Linkages.tolerance(l, single)
  local open = scalar.limit(scalar.lnot(scalar.lt(residual, tolerance)), tolerance, "closed_" .. l.name,
    "[m, rad]; the residual at which the linkage is closed")
  s.bad = scalar.lor(s.system.bad, open)
  -- P by dependent and independent joint
  local J_i, by_column = columns(E.J, l.independent), {}
  for b = 1, #l.independent do
    local rhs = {}
    for k = 1, #E.r do rhs[k] = -J_i[k][b] end
    by_column[b] = Linkages.dependent(s, rhs)
  end
  s.P = {}
  for a, i in ipairs(l.dependent) do
    s.P[a] = {}
    for b in ipairs(l.independent) do
      s.P[a][b] = ag.label(by_column[b][a], "P" .. i .. "_" .. l.independent[b])
    end
  end
  return s
end

-- Where a linkage is closed with its independent joints at 0, or the nearest that their limits allow, from where the
-- layout says, on plain numbers: cosine and sine, or position, of each dependent joint; and the residual that is
-- left.
function Linkages.closed_at_zero(l, chain)
  local at, one = {q = {}, c = {}, s = {}}, setmetatable({steps = 1}, {__index = l})
  local function put(i, x)
    at.q[i] = x
    at.s[i], at.c[i] = ag.sincos(x)
  end
  for a, i in ipairs(l.dependent) do put(i, l.start[a]) end
  for _, i in ipairs(l.independent) do
    local joint = chain.bodies[i].link.joint
    put(i, math.max(joint.lower or 0, math.min(joint.upper or 0, 0)))
  end
  local tree, bodies = Linkages.tree_of(chain), bodies_of(l)
  for _ = 1, 60 do
    closed(one, chain, tree, bodies, at)
    for _, i in ipairs(l.dependent) do
      at.q[i], at.c[i], at.s[i] = scalar.value(at.q[i]), scalar.value(at.c[i]), scalar.value(at.s[i])
    end
  end
  local list, residual = {}, 0
  for _, x in ipairs(equations(l, robot_of(chain, tree, bodies, at)).r) do
    residual = math.max(residual, math.abs(scalar.value(x)))
  end
  for _, i in ipairs(l.dependent) do
    if chain.bodies[i].prismatic then
      list[#list + 1] = at.q[i]
    else
      local size = math.sqrt(at.c[i] ^ 2 + at.s[i] ^ 2)
      list[#list + 1], list[#list + 2] = at.c[i] / size, at.s[i] / size
    end
  end
  return list, residual
end

-- Plain numbers at position number `trial` of those that fit no pattern: J by row and body, and the residual.
local function somewhere(l, chain, trial)
  local at, bodies = {q = {}, c = {}, s = {}}, bodies_of(l)
  for i in pairs(bodies) do
    at.q[i] = 0.31 + (0.618034 * i * trial + 0.271828 * trial) % 1
    at.s[i], at.c[i] = ag.sincos(at.q[i])
  end
  local E = equations(l, robot_of(chain, Linkages.tree_of(chain), bodies, at))
  return E.J, E.r
end

-- Whether the joints of a linkage hold a row of a tie themselves, wherever they stand.
function Linkages.holds(l, chain, tie, row)
  local one = {frame = tie.frame, to = tie.to, rows = {row}}
  local own = setmetatable({ties = {one}}, {__index = l})
  for trial = 1, 3 do
    local J, r = somewhere(own, chain, trial)
    local most = math.abs(scalar.value(r[1]))
    for i in pairs(bodies_of(l)) do most = math.max(most, math.abs(scalar.value(J[1][i]))) end
    if most > 1e-9 then return false end
  end
  return true
end

-- Whether the rows determine the dependent joints at one of three positions that fit no pattern, on plain numbers.
function Linkages.determined(l, chain)
  for trial = 1, 3 do
    local J = somewhere(l, chain, trial)
    local system = Linkages.system(columns(J, l.dependent, chain), sizes_of(l, J, chain), nil)
    if scalar.value(system.pivot()) > 1e-18 then return true end
  end
  return false
end

-- J by row and body, and J-dot qd by row, at a place {q, qd, c, s by body}, with all velocities.
function Linkages.rows(s, at) return equations(s.l, robot_of(s.chain, s.tree, s.bodies, at)).J end
function Linkages.drift_rows(s, at)
  local robot = robot_of(s.chain, s.tree, s.bodies, at)
  return drift_of(equations(s.l, robot), robot)
end

-- c of the dependent joints. at: {q, qd, c, s by body}, with all velocities.
function Linkages.drift(s, at)
  ag.region("linkage " .. s.l.name .. ": accelerations by velocities", s.l.name)
  local list = Linkages.drift_rows(s, at)
  for k, x in ipairs(list) do list[k] = -x end
  return Linkages.dependent(s, list)
end

-- Torques of the linkage's motors that do the work of the torques tau of its independent joints: tau = P_m^T tau_m.
-- Returns them, and a condition: no torques of the motors do.
function Linkages.at_motors(s, tau, single)
  local l, A, sizes = s.l, {}, {}
  for b in ipairs(l.independent) do
    A[b], sizes[b] = {}, 0
    for m, motor in ipairs(l.motors) do
      A[b][m] = 0
      for a, i in ipairs(l.dependent) do
        if i == motor then A[b][m] = s.P[a][b] end
      end
      if l.independent[b] == motor then A[b][m] = 1 end
      sizes[b] = sizes[b] + A[b][m] * A[b][m]
    end
  end
  ag.region("linkage " .. l.name .. ": torques at the motors", l.name)
  local system = Linkages.system(A, sizes, single and 1e-6 or 1e-8)
  l.motor_blocks = l.motor_blocks or system.blocks
  return system.solve(tau), system.bad
end

return Linkages
