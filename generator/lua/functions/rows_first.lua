-- SPDX-License-Identifier: MIT
-- rows_first.lua: the null-space solve of the constrained dynamics (formulation "null"): accelerations that satisfy the
-- rows come first, then the dynamics of the motions that the rows leave free.
--
--     J qdd = c,   c = b - J-dot q-dot           x: any qdd of this;  z: J z = 0
--     qdd = x + sum s z                          z^T (M qdd + h - tau) = 0, h - tau with what else acts
--     J^T A nu = M qdd + h - tau                 which is what motors and environment must give
-- Neither M nor its factors nor the rows' system is made: an inverse dynamics of x and one of every z. It cannot drop,
-- damp or mask a row: it holds where all masks are 1 and the rows are far from dependent (Fast.regular), and the
-- function takes the general solve elsewhere (achd.lua).
-- Source: null-space methods, as Uicker's and Udwadia and Phohomsiri's for constrained motion; Featherstone, Rigid
-- Body Dynamics Algorithms, 5.3 (inverse dynamics).

local scalar = require "scalar"
local spatial = require "spatial"
local motion = require "motion"
local constraints = require "constraints"
local Factor = require "factor"
local Joint = require "joint"
local Motors = require "motors"
local NullSpace = require "null_space"
local Middle = require "middle"
local WholeBodies = require "whole_bodies"
local Bound = require "bound"
local Gears = require "gears"

local Fast = {}
Fast.__index = Fast

-- How far above the layout's threshold t every pivot of the rows must be: a thousandfold, and above sqrt(t). The pivots
-- of L, which t is for, may be smaller than these by the condition of M: a hundred times is common, 1600 has been seen.
local function seam(t) return math.max(1e3 * t, math.sqrt(t)) end
Fast.seam = seam
local pointless = 0.1 -- above this hardly any state has its pivots
local test_in_vain = 1.1 -- operations of a state that fails the test, as a multiple of the general solve's
-- A null-space solve that fewer than this share of the states can take counts as so many times the general solve.
local rarely, in_need = 0.5, 10
local factor_outputs = {tau_total = true, tau_apparent = true} -- made of the factors of M

-- Why the layout is not for this formulation; nil: it is.
function Fast.fault(context)
  local layout = context.layout
  if #layout.groups == 0 then return "the layout has no rows" end
  if layout.saturate == "scale" then return "set-points are scaled to what the motors can give" end
  if layout.saturate then
    for _, g in ipairs(layout.groups) do
      if g.kind == "physical" then return "physical rows are solved again under clamped torques" end
    end
  end
  if Motors.needed(layout, context.chains.link) then return "motors alone realise the rows" end
  if layout.root_acceleration then return "the base has an acceleration that is given" end
  if #context.chains.link.linkages > 0 then return "joints of linkages depend on others" end
  if layout.contributions then return "only the general solve computes contributions" end
  if #layout.inertia_inputs > 0 then return "inertias are given at run time" end
  if seam(layout.singular_threshold) >= pointless then return "the threshold is above 1e-4" end
  for _, name in ipairs(layout.outputs) do
    if name == "pivot" or name == "Z" then return '"' .. name .. '" is an output that only the general solve has' end
  end
  for _, g in ipairs(layout.groups) do
    if g.over == "yields" then return "rows yield" end
    if g.weights then return "rows let drivers pass" end
    if g.compliance then return "rows are soft" end
  end
end

-- ---- axes of rows ----

-- The condition that no axis given at run time is long.
function Fast.no_axis_long(rotation)
  local squares = 0
  for r = 1, 3 do squares = squares + spatial.dot(rotation[r], rotation[r]) end
  return scalar.limit(scalar.lt(squares, 4), 4, "most_squares", "of axes given at run time, added up: none is long")
end

-- Directions given at run time as the columns of A, which need not be at right angles: A^T a = b gives a = A^-T b, a
-- force f = A nu gives nu = A^-1 f, by cross products.
local function inverse_of(rotation)
  local x, y, z = spatial.column(rotation, 1), spatial.column(rotation, 2), spatial.column(rotation, 3)
  local yz = spatial.cross(y, z)
  local det = spatial.dot(x, yz)
  local inv = scalar.divide(1, det)
  local rows = spatial.matrix {inv * yz, inv * spatial.cross(z, x), inv * spatial.cross(x, y)}
  return {rows = rows, good = scalar.land(
    scalar.limit(scalar.lt(0.5, det), 0.5, "least_volume", "of axes given at run time: they are far from one plane"),
    Fast.no_axis_long(rotation))}
end

function Fast:inverse(group)
  self.inverses = self.inverses or {}
  if not self.inverses[group] then self.inverses[group] = inverse_of(group.rotation) end
  return self.inverses[group]
end

-- Components of a vector along a group's axes, from numbers along the three axes; `less`: a vector in base axes taken
-- off.
-- Along the axes of the group's body.
function Fast:from_rows(group, v, less)
  local state, body = self.state, group.frame.body
  if constraints.linked(group) then
    local own = group.frame.R * v
    return less and own - state:to_body(body, less) or own
  end
  if group.rotation then v = spatial.mul_transposed(self:inverse(group).rows, v) end
  return state:to_body(body, less and v - less or v)
end

-- Numbers along a group's axes of a force or moment in the axes of the middle body.
function Fast:to_rows(group, middle, v)
  if constraints.linked(group) then return spatial.mul_transposed(group.frame.R, middle:to_tool(v)) end
  v = self.state:to_base(middle.body, v)
  return group.rotation and self:inverse(group).rows * v or v
end

-- ---- equations ----

local unit = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
-- Set-points by axis; 0 for those without a set-point.
local function set_points(state, three)
  local b = {}
  for k = 1, 3 do b[k] = three.rows[k] and state.rows[three.rows[k]].b or 0 end
  return spatial.vector(b)
end

-- The given acceleration of a body: {wd, a} at its origin in its axes, -g in it.
function Fast:given(whole, outward)
  local state, group = self.state, whole.lin.group
  local body, p = group.frame.body, group.frame.p
  ag.region("rows: the acceleration of " .. state.robot.bodies[body].link.name .. " that they demand", group.name)
  local wd = self:from_rows(whole.ang.group, set_points(state, whole.ang))
  local a = self:from_rows(group, set_points(state, whole.lin), state.gravity)
  if group.acceleration == "spatial" then
    local t = state:twists()[body]
    a = a + spatial.cross(t.w, t.v + spatial.cross(t.w, p))
  end
  return wd, a - motion.acceleration_tensor(outward[body].w, wd) * p
end

-- The square of what the coefficients of a row are compared with.
function Fast:square_of(row)
  local reach = self.state.chain.reach
  if row.group.free then
    ag.region("rows: what their coefficients are compared with", "rows")
    return reach * reach * spatial.dot(row.dir.lin, row.dir.lin) + spatial.dot(row.dir.ang, row.dir.ang)
  end
  return not row.joint and constraints.axis_of[row.name] <= 3 and reach * reach or 1
end

-- How a whole body moves along what its rows do not ask for: by row that is not there {m = motion {w, v} of its origin,
-- in its axes; column = the six of J that this takes; any = the row's kind is missing as a whole; told = the same for
-- the proof (problem.lua)}. A missing kind is along the axes of the middle body. Turns are about the point of the
-- linear rows.
function Fast:slack_of(whole, middle)
  local robot, group, list = self.state.robot, whole.lin.group, {}
  local held = {body = middle.tool, p = group.frame.p} -- by linear rows, if there are
  local function put(three, i)
    local turns, any = three.kind == "ang", three.count == 0
    local e, about = {0, 0, 0}, held
    e[i] = turns and 1 or self.state.chain.reach -- as large as what joints do along a row
    if whole.lin.count == 0 then about = {body = any and middle.body or middle.tool, p = spatial.zero} end
    ag.region("rows: motions that they leave open, in the frame of " .. robot.bodies[middle.body].link.name,
      robot.bodies[middle.body].link.id)
    local u = any and e or self:from_rows(three.group, e)
    local lever = about.p
    if any then lever = whole.lin.count == 0 and spatial.zero or middle:point(about.p) end
    local m = {w = turns and u or spatial.zero, v = turns and spatial.cross(lever, u) or u}
    local six = any and {m.v[1], m.v[2], m.v[3], m.w[1], m.w[2], m.w[3]} or middle:inward_from_tool(m)
    list[#list + 1] = {
      m = any and middle:outward_to_tool(m) or m, column = six, any = any,
      told = {word = WholeBodies.words[three.kind][i], group = not any and three.group.name or nil,
        about = {body = about.body, p = about.p, R = unit}},
    }
  end
  for _, three in ipairs {whole.lin, whole.ang} do
    for i = 1, 3 do
      if not three.rows[i] then put(three, i) end
    end
  end
  return list
end

-- choice: {axes, place, border, split: lists by whole body; plan; mass: of what M is made for products with it, "z" or
-- "x, z", nil: none; partial: whole bodies may have fewer rows; hold: what these do not ask for
-- is held out, all of it; sums: false without sums of angles of parallel axes (motion.lua); most_held: columns that may
-- be held out, nil: any number}. nil where the rows are not for this formulation.
function Fast.new(state, choice)
  local self = setmetatable({state = state, choice = choice, middles = {}, slack = {}}, Fast)
  local robot, chain = state.robot, state.chain
  local own = chain.nb + chain.nj
  self.wholes, self.others = WholeBodies.find(state.groups, state.rows, chain.nb, choice.partial)
  local J, square, c, columns, hold = {}, {}, {}, own, {first = {}, preferred = {}}
  self.outward = motion.accelerations(robot, -state.gravity)
  for k, w in ipairs(self.wholes) do
    local middle = Middle.new(robot, w.lin.group.frame.body, choice.place[k])
    self.middles[k] = middle
    for r, row in ipairs(middle:jacobian()) do
      J[#J + 1], square[#square + 1] = row, r <= 3 and chain.reach * chain.reach or 1
    end
    local slack = self:slack_of(w, middle)
    self.slack[k] = {first = columns, list = slack}
    for _, one in ipairs(slack) do
      columns = columns + 1
      for r = 1, 6 do J[6 * k - 6 + r][columns] = -one.column[r] end
      table.insert(choice.hold and not one.any and hold.first or hold.preferred, columns)
    end
    for _, x in ipairs(middle:meet(self.outward, self:given(w, self.outward))) do c[#c + 1] = x end
  end
  if #self.others > 0 then
    local rows, seen = state:jacobian(), state:seen(self.outward)
    for _, j in ipairs(self.others) do
      local row = state.rows[j]
      J[#J + 1], c[#c + 1] = rows[j], row.b - seen[j]
      square[#square + 1] = self:square_of(row)
    end
  end
  for _, row in ipairs(J) do
    for q = 1, columns do row[q] = row[q] or 0 end
  end
  self.equations = NullSpace.new(J, square, columns, hold, choice.plan)
  if not self.equations then return nil end
  choice.plan = self.equations.plan
  if choice.most_held and #choice.plan.held > choice.most_held then return nil end
  choice.plan.bodies, choice.plan.others = {}, self.others -- which the equations are of (problem.lua)
  for k, middle in ipairs(self.middles) do
    local unasked = {}
    for i, one in ipairs(self.slack[k].list) do unasked[i] = one.told end
    choice.plan.bodies[k] = {tool = middle.tool, middle = middle.body, unasked = unasked}
  end
  self.c = c
  return self
end

-- ---- the solve ----

-- The forces of artificial wrenches and tau_art, by coordinate.
local function own_torques(state)
  local own = motion.joint_forces(state.robot, state:given_wrenches("artificial"), "artificial wrenches: ")
  local nb = state.chain.nb
  for j = 1, state.chain.nj do own[nb + j] = own[nb + j] + state.tau_art[j] end
  return own
end
Fast.own_torques = own_torques

-- What the bodies' motions are taken from: by body {middle, back}: of the path from a tool, behind its border.
function Fast:sides(border)
  local side = {}
  for k, middle in ipairs(self.middles) do
    for at, i in ipairs(middle.path) do
      if not side[i] then side[i] = {k = k, middle = middle, back = at > border[k]} end
    end
  end
  return side
end

-- What x adds to the motion of whole body k, along what its rows do not ask for.
function Fast:of_tool(k, x)
  local slack, m = self.slack[k], {w = spatial.zero, v = spatial.zero}
  for i, one in ipairs(slack.list) do
    local s = x[slack.first + i]
    m = {w = m.w + s * one.m.w, v = m.v + s * one.m.v}
  end
  return m
end

-- All bodies' motions for the accelerations x: near the base what x adds to those at qdd = 0, near a tool what it takes
-- from the tool's, and the others outward from their parents.
function Fast:motions(x)
  local robot = self.state.robot
  if robot.base then return motion.accelerations(robot, -self.state.gravity, x) end
  local full, added = {[0] = self.outward[0]}, {}
  local border, side = self.choice.border, self:sides(self.choice.border)
  local rates = motion.per_body(robot.chain, x)
  for k, middle in ipairs(self.middles) do added[k] = middle:added(rates, border[k], self:of_tool(k, x)) end
  for i, b in ipairs(robot.bodies) do
    local s = side[i]
    if s then
      local from, d = (s.back and s.middle.inward or self.outward)[i], added[s.k][i]
      local wd = from.wd + d.w
      full[i] = {w = from.w, wd = wd, a = from.a + d.v, U = motion.acceleration_tensor(from.w, wd)}
    else
      full[i] = motion.outward_step(b, full[b.parent], rates[i])
    end
    motion.hint_vector(full[i].wd, "wd_x")
    motion.hint_vector(full[i].a, "a_x")
    motion.hint_matrix(full[i].U, "U_x")
  end
  return full
end

-- The forces by coordinate, and what the rotors need for the accelerations x.
function Fast:plus_armature(forces, x)
  return Gears.push(forces, self.state.chain.nb, self.state.armature, x)
end

-- M by coordinate, lower triangle, armature included.
function Fast:mass()
  local state = self.state
  if not self.mass_made then
    self.mass_made = Joint.mass_matrix(state.robot, state.inertias)
    Gears.onto(self.mass_made, state.chain.nb, state.armature)
  end
  return self.mass_made
end

-- x: by coordinate, and more.
local function symmetric_times(M, x)
  local y = {}
  for i = 1, #M do
    y[i] = 0
    for j = 1, #M do y[i] = y[i] + (j <= i and M[i][j] or M[j][i]) * x[j] end
  end
  return y
end

-- M z by coordinate; and where it comes of the bodies' motions along z, these and what they make of the inertias that
-- each carries.
function Fast:inertia_times(z)
  local state = self.state
  if self.choice.mass then
    ag.region("free motions: M z", "free")
    return symmetric_times(self:mass(), z)
  end
  local robot, chain = state.robot, state.chain
  local rates = motion.per_body(chain, z, chain.nb)
  local split, side, added, at, wrenches = self.choice.split, self:sides(self.choice.split), {}, {}, {}
  for k, middle in ipairs(self.middles) do added[k] = middle:added(rates, split[k], self:of_tool(k, z)) end
  at[0] = motion.base_motion(chain.nb, z)
  for i, b in ipairs(robot.bodies) do
    at[i] = side[i] and added[side[i].k][i] or motion.add_joint(b, motion.carry(b, at[b.parent]), rates[i])
  end
  for i = robot.base and 0 or 1, chain.n do
    local link = i > 0 and robot.bodies[i].link
    ag.region("free motions: momentum of " .. (link and link.name or state.base_name), link and link.id or "base")
    wrenches[i] = motion.momentum(state.inertias[i], at[i])
    motion.hint_wrench(wrenches[i], "fz", "nz")
  end
  local forces, carried = motion.joint_forces(robot, wrenches, "what the rows leave free: M z, ")
  return self:plus_armature(forces, z), at, carried
end

local dot = scalar.sum_of_products -- of lists by coordinate, of which one may be of more

-- M x + h by coordinate, h with what acts on the bodies: by an inverse dynamics of x, or of none where M is at hand.
function Fast:needed(x)
  local state = self.state
  if self.choice.mass == "x, z" then
    local h = motion.joint_forces(state.robot, state:needed_wrenches(self.outward), "inward: forces, ")
    ag.region("joint space: M x", "rows")
    local Mx = symmetric_times(self:mass(), x)
    for j = 1, #Mx do h[j] = h[j] + Mx[j] end
    return h
  end
  local wrenches = state:needed_wrenches(self:motions(x))
  return self:plus_armature(motion.joint_forces(state.robot, wrenches, "inward: forces, "), x)
end

function Fast:factors() -- of M = L^T D L
  self.factors_made = self.factors_made or Factor.new(self:mass(), self.state.chain.coordinates)
  return self.factors_made
end

-- The accelerations that torques on top cause, M^-1 torques.
function Fast:accelerations_of(torques)
  local factor = self:factors()
  ag.region("saturation: change of the motion by torques that are cut", "clamped")
  return factor:forward(factor:back(torques))
end

-- The factors of z^T M z
local function factor_of(list, Mz)
  local S, names = {}, {}
  for i = 1, #list do
    S[i], names[i] = {}, {name = "freedom " .. i, id = "free", label = "_s" .. i}
    for j = 1, i do S[i][j] = dot(list[i], Mz[j]) end
  end
  return Factor.new(S, names)
end

-- s of z^T (M (x + sum s z) + rest) = 0
local function amounts(list, Mz, rest)
  local factor, r = factor_of(list, Mz), {}
  for i = 1, #list do r[i] = -dot(list[i], rest) end
  return factor:forward(factor:back(r))
end

-- Accelerations by coordinate, nu by row, J^T A nu by coordinate, where it holds (Fast:regular), and the other forces
-- that motors are to give.
function Fast:solve()
  local state, equations = self.state, self.equations
  local n, x = state.chain.nb + state.chain.nj, equations:particular(self.c)
  local own, acting = own_torques(state), state:by_coordinate(state:acting_torques())
  local needed = self:needed(x)
  local qdd, tau = {}, {}
  for j = 1, n do
    qdd[j], tau[j] = x[j], needed[j] - acting[j] - own[j]
  end
  local list, Mz = equations:free(), {}
  for k, z in ipairs(list) do Mz[k] = self:inertia_times(z) end
  ag.region("free motions: how much of each", "free")
  local s = #list > 0 and amounts(list, Mz, tau) or {}
  for k, z in ipairs(list) do
    for j = 1, n do qdd[j], tau[j] = qdd[j] + s[k] * z[j], tau[j] + s[k] * Mz[k][j] end
  end
  for j = 1, n do
    local label = state.chain.coordinates[j].label
    ag.label(qdd[j], "qdd" .. label)
    ag.label(tau[j], "needed" .. label)
  end
  return qdd, self:row_forces(equations:dual(tau)), tau, own
end

-- nu by row, of the equations' lambda.
function Fast:row_forces(lambda)
  local nu = {}
  for k, w in ipairs(self.wholes) do
    local l, middle = table.move(lambda, 6 * k - 5, 6 * k, 1, {}), self.middles[k]
    local wrench = middle:about(w.lin.group.frame.p,
      {f = spatial.vector {l[1], l[2], l[3]}, n = spatial.vector {l[4], l[5], l[6]}})
    local f, n = self:to_rows(w.lin.group, middle, wrench.f), self:to_rows(w.ang.group, middle, wrench.n)
    for i = 1, 3 do
      if w.lin.rows[i] then nu[w.lin.rows[i]] = f[i] end
      if w.ang.rows[i] then nu[w.ang.rows[i]] = n[i] end
    end
  end
  for k, j in ipairs(self.others) do nu[j] = lambda[6 * #self.wholes + k] end
  for j = 1, #nu do ag.label(nu[j], "nu" .. j) end
  return nu
end

-- The maps of bound.lua, Z all z and A the particular solutions of unit right sides:
--   G = Z (Z^T M Z)^-1 Z^T,  H = A - Z (Z^T M Z)^-1 (M Z)^T A
function Fast:maps(bound, left)
  local state, m = self.state, self.equations.m
  local n, first = state.chain.nb + state.chain.nj, state.base and 0 or 1
  local list, Mz, work, G, H, levers = self.equations:free(), {}, {}, {}, {}, {}
  for k, z in ipairs(list) do
    local moved, carried
    Mz[k], moved, carried = self:inertia_times(z)
    ag.region("bound: what errors of wrenches do to the free motions", "bound")
    work[k] = Bound.work(left, moved, carried, first, state.chain.n)
  end
  ag.region("bound: the inverse of the system", "bound")
  local factor = #list > 0 and factor_of(list, Mz)
  local function amounts_of(right) return factor and factor:forward(factor:back(right)) or {} end
  local function along_free(s, i)
    local sum = 0
    for k = 1, #s do sum = sum + s[k] * list[k][i] end
    return sum
  end
  local amounts_by = {}
  for i = 1, n do G[i], H[i] = {}, {} end
  for c = 1, n do
    local right = {}
    for k, z in ipairs(list) do right[k] = z[c] end
    amounts_by[c] = amounts_of(right)
    for i = 1, n do G[i][c] = along_free(amounts_by[c], i) end
  end
  for c = 1, m do
    local unit, right = {}, {}
    for l = 1, m do unit[l] = l == c and 1 or 0 end
    local a = self.equations:particular(unit)
    for k, Mzk in ipairs(Mz) do right[k] = -dot(a, Mzk) end
    local s = amounts_of(right)
    for i = 1, n do H[i][c] = a[i] + along_free(s, i) end
  end
  for k = 1, 6 * #self.wholes do -- of columns of joints, and of what is not asked for, which moves as much
    levers[k] = ((k - 1) % 6 < 3 and state.chain.reach or 1) * (1 + #self.slack[(k + 5) // 6].list)
  end
  for k, j in ipairs(self.others) do levers[6 * #self.wholes + k] = bound:levers()[j] end
  local function response(i) -- G is a sum over what is free
    local sum = 0
    for k, s in ipairs(amounts_by[i]) do sum = sum + scalar.abs(s) * work[k] end
    return sum
  end
  local totals = self:totals(bound, left)
  local function shares(i)
    ag.region("bound: what errors of the rows do", "bound")
    local sum = 0
    for k, t in ipairs(totals) do
      if t.equation then
        sum = sum + scalar.abs(H[i][t.equation]) * t.lin
      else
        local at = 6 * k - 6
        local lin = spatial.vector {H[i][at + 1], H[i][at + 2], H[i][at + 3]}
        local ang = spatial.vector {H[i][at + 4], H[i][at + 5], H[i][at + 6]}
        -- a tool that turns moves the body in the middle, at -p from it: -wd x p
        ang = ang + spatial.cross(lin, t.p)
        sum = sum + (Bound.norm(lin) * t.lin + Bound.norm(ang) * t.ang)
      end
    end
    return sum
  end
  return {G = G, H = H, levers = levers, response = response, shares = shares}
end

-- By whole body how much its rows can leave in all, |r2| + u e, {lin, ang} at the point p where they hold, seen from
-- the middle body; and by other row, {equation, lin}.
function Fast:totals(bound, left)
  local error_of, r2, u, list = {}, left.r2, bound.u, {}
  for j = 1, #r2 do error_of[j] = 0 end
  for _, part in ipairs(left.parts) do
    for _, j in ipairs(part.rows) do error_of[j] = part.e end
  end
  local function of_three(three)
    local rest, errors = {}, 0 -- along what is not asked for nothing is left
    for i = 1, 3 do
      local j = three.rows[i]
      rest[i] = j and r2[j] or 0
      errors = j and (three.group.rotation and errors + error_of[j] or error_of[j]) or errors
    end
    -- the inverse of axes that are not at right angles: squares below 4, determinant above 1/2
    return (three.group.rotation and 4 or 1) * (Bound.norm(rest) + u * errors)
  end
  for k, w in ipairs(self.wholes) do
    list[k] = {lin = of_three(w.lin), ang = of_three(w.ang), p = self.middles[k]:point(w.lin.group.frame.p)}
  end
  for k, j in ipairs(self.others) do
    list[#list + 1] = {equation = 6 * #self.wholes + k, lin = scalar.abs(r2[j]) + u * error_of[j]}
  end
  return list
end

-- The condition under which the results hold: all masks are 1, the rows are far from dependent, their axes are axes,
-- and the inertias that are given at run time are those of bodies.
function Fast:regular()
  local state = self.state
  local all = self:unmasked()
  ag.region("rows: test whether they are far from singular", "rows")
  all = scalar.land(all, self.equations:regular(seam(state.layout.singular_threshold)))
  for _, g in ipairs(state.groups) do
    if self.inverses and self.inverses[g] then all = scalar.land(all, self.inverses[g].good) end
  end
  return Fast.of_bodies(state, all)
end

-- `all`, and that inertias that are given at run time are those of bodies.
function Fast.of_bodies(state, all)
  if state.inertias_are_inputs then
    if state.bad_payload then all = scalar.land(all, scalar.lnot(state.bad_payload)) end
    for _, d in ipairs(state.armature) do all = scalar.land(all, scalar.lnot(scalar.lt(d, 0))) end
  end
  return all
end

Fast.pivots_of = "the rows' equations J qdd = c"
function Fast:least_pivot() return self.equations:least_pivot() end

-- The condition that all rows are in force.
function Fast:unmasked()
  local all = true
  for _, mask in ipairs(self.state.masks or {}) do all = scalar.land(all, scalar.eq(mask, 1)) end
  return all
end

-- ---- the choice ----

-- The cheapest choice for whole bodies of one kind, found one number after the other. expected(choice): operations.
local function choose_for(expected, lengths, layout, start)
  local best, least
  local function try(change)
    local choice = {}
    for word, value in pairs(best or start) do
      choice[word] = type(value) == "table" and table.move(value, 1, #value, 1, {}) or value
    end
    choice.plan = nil
    change(choice)
    local operations = expected(choice)
    if operations and (not least or operations < least) then best, least = choice, operations end
  end
  local function place(choice, k, at)
    choice.place[k], choice.border[k], choice.split[k] = at, math.max(at - 1, 0), at
  end
  for _, axes in ipairs {"matrix", "chain"} do
    for _, way in ipairs {"wrench", "base", "tip"} do
      try(function(choice)
        choice.axes, choice.way, choice.place, choice.border, choice.split = axes, way, {}, {}, {}
        for k, n in ipairs(lengths) do place(choice, k, (n + 1) // 2) end
      end)
      if lengths.all then break end -- no rows are left for a Jacobian
    end
  end
  -- M is made for what is clamped or asked for, and may be worth it for what is held out
  local masses = best and (layout.saturate or #best.plan.held > 0) and {"z", "x, z"} or {}
  for _, name in ipairs(layout.outputs) do
    if best and factor_outputs[name] then masses = {"z", "x, z"} end
    if name == "bound" then masses = {} end -- asks for the motions of bodies that products with M come of
  end
  for _, of in ipairs(masses) do
    try(function(choice) choice.mass = of end)
  end
  for k, n in ipairs(best and lengths or {}) do
    for at = 1, n do try(function(choice) place(choice, k, at) end) end
    local at = best.place[k]
    if at <= n then try(function(choice) choice.border[k] = at end) end
    for _, split in ipairs {at - 1, at + 1} do
      if split >= 0 and split <= n then try(function(choice) choice.split[k] = split end) end
    end
  end
  if best then try(function(choice) choice.sums = false end) end
  return best, least
end

-- The cheapest choice. count(choice): operations of the way alone, and where columns are held out the share of states
-- that go it, nil where it is not for the layout; general: operations of the other way. forced: however much the rows
-- leave free; else no more columns are held out than half as many as there are rows, beyond which it never saved a
-- tenth. Returns the choice, its count, and the count to be expected, or nil.
function Fast.choose(count, layout, chain, general, forced)
  local rows, best, least = 0, nil, nil
  for _, g in ipairs(layout.groups) do rows = rows + #g.rows end
  local function expected(choice)
    local operations, share = count(choice)
    if not operations then return nil end
    choice.operations = operations
    if forced and share and share < rarely then return in_need * general end -- hardly any state could take this choice
    return share and share * operations + (1 - share) * test_in_vain * general or operations
  end
  for _, kind in ipairs {{}, {partial = true}, {partial = true, hold = true}} do
    local of = WholeBodies.lengths(layout, chain, kind.partial)
    if not kind.partial or of.missing > 0 then
      kind.alone, kind.most_held = true, not forced and rows // 2 or nil
      local choice, operations = choose_for(expected, of, layout, kind)
      if operations and (not least or operations < least) then best, least = choice, operations end
    end
  end
  return best, best and best.operations, least
end

return Fast
