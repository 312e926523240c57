-- SPDX-License-Identifier: MIT
-- implicit.lua: what differentiates a constrained solve, for dachd.lua and dmclp.lua: how everything that acts changes
-- at constant accelerations and constraint forces, and the answer of the rows in force to that.
--
-- Of the rows in force M vdot + h - J^T nu = tau and seen(vdot) = b hold. So
--     M dvdot - J^T dnu = dtau - d(ID at constant vdot, nu) =: x,    J dvdot = db - d(seen at constant vdot) =: y
-- and with G what the factors of the solve take for the inverse of J M^-1 J^T,
--     dvdot = W x + Q y,   dnu = G y - Q^T x,   Q = M^-1 J^T G,   W = M^-1 - Q J M^-1

local scalar = require "scalar"
local spatial = require "spatial"
local motion = require "motion"
local constraints = require "constraints"
local Derivatives = require "derivatives"
local RowDerivatives = require "row_derivatives"
local Matrices = require "matrices"
local Drivers = require "drivers"
local Gears = require "gears"

local Implicit = {}
Implicit.__index = Implicit

-- Q and W, and G as a function that makes it where it is needed. k: K by row; system: the rows'.
function Implicit.answer(form, k, system)
  local n, m, factor = form.n, #k, form.factor
  ag.region("derivatives: what forces and set-points cause", "response")
  local inverse = factor:inverse()
  if m == 0 then return {W = inverse} end
  local none, Y, Q, W = {}, {}, {}, {} -- Y = J M^-1
  for i = 1, n do none[i] = 0 end
  for j = 1, m do Y[j] = factor:forward(k[j]) end
  for i, y in ipairs(Matrices.transpose(Y)) do Q[i], W[i] = system.solve(none, y, true), {} end
  for i = 1, n do
    for j = 1, i do
      local x = inverse[i][j]
      for l = 1, m do x = x - Q[i][l] * Y[l][j] end
      W[i][j], W[j][i] = x, x
    end
  end
  local G
  local function made()
    if G then return G end
    G = Matrices.zero(m)
    for j, unit in ipairs(Matrices.unit(m)) do
      local column = system.solve(none, unit, true)
      for l = j, m do G[l][j], G[j][l] = column[l], column[l] end
    end
    return G
  end
  return {G = made, Q = Q, W = W}
end

-- Groups whose wrench may turn with its frame, A nu' in place of A nu: dnu is then dnu' + A^T (z x (A nu)) by q of a
-- joint with the axis z, and because J Q = 1 nothing else changes. That takes rows along all three axes of the base or
-- none, linear and angular, that are in force whenever the solve is a solution of the rows. {[group] = {}}
local function turning_groups(state, J)
  local turning, m = {}, #state.rows
  if state.soft then return turning end -- J Q is not 1
  if state.layout.singularity == "drop" or m > state.chain.nb + state.chain.nj then return turning end
  for j = 1, m do
    local moved = false
    for c = 1, #J[j] do moved = moved or not scalar.is_zero(J[j][c]) end
    if not moved then return turning end -- never in force
  end
  for _, g in ipairs(state.groups) do
    local count = {lin = 0, ang = 0}
    for _, name in ipairs(g.joints and {} or g.rows) do
      local kind = name:sub(1, 3)
      count[kind] = (count[kind] or 0) + 1
    end
    local whole = count.lin % 3 == 0 and count.ang % 3 == 0
    if whole and g.axes == "base" and not g.free and not g.tie and not g.joints and not g.mask then turning[g] = {} end
  end
  return turning
end

-- Adds A^T (z x (A nu)) of these rows to the rows of dnu by q.
local function turn_back(state, rows, turning, by_q)
  local chain, nb, poses = state.chain, state.chain.nb, state:body_poses()
  for g, sum in pairs(turning) do
    local turns = {} -- by coordinate
    for c, s in ipairs(motion.base_freedoms(nb)) do turns[c] = poses[0].R * s.w end
    for _, i in ipairs(motion.way(state.robot, g.frame.body, 0)) do
      if not state.robot.bodies[i].prismatic then
        local c = nb + chain.joint_of[i]
        turns[c] = (turns[c] or spatial.zero) + chain.ratio[i] * spatial.column(poses[i].R, 3)
      end
    end
    for c, z in pairs(turns) do
      local f, n = spatial.cross(z, sum.f), spatial.cross(z, sum.n)
      for j, row in ipairs(rows) do
        if row.group == g then by_q[j][c] = by_q[j][c] + spatial.dot(row.dir.lin, f) + spatial.dot(row.dir.ang, n) end
      end
    end
  end
end

-- By body the wrenches of the rows of a kind at nu, ties apart, what Derivatives.held tells of them; and J^T nu of ties
-- by q, a matrix (nil: there are none).
local function row_wrenches(state, rows, nu, kind, turning)
  local list, held, ties = {}, {}, nil
  for _, g in ipairs(state.groups) do
    if g.kind == kind and not g.joints then
      ag.region("rows: their wrench, " .. g.name, g.name)
      local f, n, any = spatial.zero, spatial.zero, false
      for j, row in ipairs(rows) do
        if row.group == g then
          f, n, any = f + nu[j] * row.dir.lin, n + nu[j] * row.dir.ang, true
        end
      end
      local body = g.frame.body
      if any and g.tie then
        ties = ties or Matrices.zero(state.chain.nb + state.chain.nj)
        RowDerivatives.tie_forces(state.robot, g.tie, g.frame.R * f, g.frame.R * n, ties)
      elseif any and (body > 0 or state.base) then
        local linked, on = constraints.linked(g), nil
        if turning[g] then
          turning[g].f, turning[g].n = f, n
          on = state:wrench_on_body({frame = g.frame, f = f, n = n})
        elseif linked then
          on = {f = g.frame.R * f, n = g.frame.R * n}
          on.n = on.n + spatial.cross(g.frame.p, on.f)
        else
          on = state:wrench_on_body({frame = g.frame, f = f, n = n})
          held[body] = Derivatives.add_held(held[body], Derivatives.held(on.f, on.n, g.frame.p))
        end
        motion.put_wrench(list, body, on)
      end
    end
  end
  return list, held, ties
end

-- The derivatives by q of J^T f of everything of a kind: given wrenches, and rows at nu.
local function forces_by_position(state, rows, nu, kind, turning)
  local list, held, ties = row_wrenches(state, rows, nu, kind, turning)
  for body, on in pairs(state:given_wrenches(kind)) do motion.put_wrench(list, body, on) end
  for body, h in pairs(Matrices.held(state, kind)) do held[body] = Derivatives.add_held(held[body], h) end
  for body in pairs(list) do list[body] = motion.scale_wrench(-1, list[body]) end
  local T = Matrices.scale(-1, Derivatives.of_forces(state.robot, {wrenches = list, held = held}).q)
  return ties and Matrices.add(T, ties) or T
end

-- The derivatives by q and qd of ID at constant vdot, what physical wrenches and rows at nu give taken off.
local function motion_by_state(state, motions, rows, nu, turning)
  local total = state:needed_wrenches(motions)
  local list, held, ties = row_wrenches(state, rows, nu, "physical", turning)
  for i = 0, state.chain.n do
    if list[i] then total[i] = motion.sub_wrench(total[i], list[i]) end
  end
  for body, h in pairs(Matrices.held(state, "physical")) do held[body] = Derivatives.add_held(held[body], h) end
  local by = Derivatives.of_forces(state.robot, {
    inertias = state.inertias, motions = motions, twists = Derivatives.twists(state.robot), wrenches = total,
    held = held,
  })
  if ties then by.q = Matrices.add(by.q, Matrices.scale(-1, ties)) end
  Gears.onto_full(by.qd, state.chain.nb, 1, state.viscous)
  return by
end

-- What forces cause along rows, J M^-1 tau, by q: {[row] = {...}} of the rows that `shares` has, times that.
-- x: {tau: by coordinate, given: the wrenches in it by body, held: of these, Matrices.held}. Torques do not change.
local function caused_by_position(state, form, k, x, shares)
  local still, none, result = state:still(), {0, 0, 0}, {}
  local vdot = form.factor:forward(form.factor:back(x.tau))
  local motions = motion.accelerations(still, none, vdot)
  local total = state:inertial_wrenches(motions)
  for i = 0, state.chain.n do
    if x.given[i] then total[i] = motion.sub_wrench(total[i], x.given[i]) end
  end
  local forces = Derivatives.of_forces(still, {
    inertias = state.inertias, motions = motions, twists = Derivatives.twists(still), wrenches = total,
    held = x.held,
  }).q
  local seen = RowDerivatives.seen(state, still, motions, none, vdot)
  for j = 1, #state.rows do
    local along, list = shares[j] and form.factor:forward(k[j]), {}
    for c = 1, shares[j] and form.n or 0 do
      list[c] = seen[j].q[c]
      for i = 1, form.n do list[c] = list[c] - along[i] * forces[i][c] end
      list[c] = shares[j] * list[c]
    end
    result[j] = shares[j] and list
  end
  return result
end

-- What rows ask for beside b, by q: {[row] = {...}}: those that yield what the artificial wrenches cause, others what
-- passes of the drivers (drivers.lua).
local function passed_by_position(state, form, k, free, drivers)
  local yields, result = {}, {}
  for j, row in ipairs(state.rows) do
    if row.group.yields then yields[j] = 1 end
  end
  local given = state:given_wrenches("artificial")
  if next(yields) ~= nil and next(given) ~= nil then
    ag.region("rows that yield: derivatives", "yield")
    result = caused_by_position(state, form, k,
      {tau = free.from_wrenches, given = given, held = Matrices.held(state, "artificial")}, yields)
  end
  for _, name in ipairs(drivers.names) do
    local tau, shares = drivers:forces(name), {}
    for j, row in ipairs(state.rows) do
      local share = Drivers.share(row, name)
      if share ~= 0 then shares[j] = share end
    end
    ag.region("what passes of " .. name .. ": derivatives", name)
    local mine = caused_by_position(state, form, k, {
      tau = tau, given = drivers:given(name), held = Matrices.held(state, drivers:wrench(name) or "none"),
    }, shares)
    for j in ipairs(state.rows) do
      for c = 1, mine[j] and result[j] and form.n or 0 do mine[j][c] = mine[j][c] + result[j][c] end
      result[j] = mine[j] or result[j]
    end
  end
  return result
end

-- What can be differentiated.
Implicit.ofs = {"qdd", "nu", "tau_ctrl"}

-- of: {rows, k, J, form, free, drivers, set_points}: the rows with their K and J^T A by row, the robot's formulation,
-- unconstrained.lua and drivers.lua; of the rows the first `set_points` have a b. turns: may wrenches turn with their
-- frames (turning_groups)?
function Implicit.new(state, of, turns)
  local self = setmetatable({state = state, asked = Matrices.asked(state, Implicit.ofs), passed = {}}, Implicit)
  for key, value in pairs(of) do self[key] = value end
  self.turning = turns and turning_groups(state, self.J) or {}
  -- by what, in the order of the outputs
  local layout, n, bys = state.layout, state.chain.nj, {{"q"}, {"qd"}}
  if layout.torques.artificial and n > 0 then bys[#bys + 1] = {"tau"} end
  if layout.torques.physical and n > 0 then bys[#bys + 1] = {"tau_phys"} end
  if self.set_points > 0 then bys[#bys + 1] = {"b"} end
  for _, w in ipairs(state.wrenches) do bys[#bys + 1] = {w.name, w} end
  self.bys, self.any = bys, false
  for _, by in ipairs(bys) do self.any = self.any or self:wanted(by[1]) end
  self.by_state = self:wanted("q") or self:wanted("qd")
  if self.by_state then self.passed = passed_by_position(state, self.form, self.k, self.free, self.drivers) end
  return self
end

function Implicit:wanted(by)
  for _, of in ipairs(Implicit.ofs) do
    if self.asked(of, by) and (of ~= "nu" or #self.rows > 0) then return true end
  end
  return false
end

-- How what acts changes at accelerations vdot and forces nu: {by, of ID; seen, of the rows of groups}.
function Implicit:changes(vdot, nu)
  if not self.by_state then return {} end
  local state = self.state
  local motions = motion.accelerations(state.robot, -state.gravity, vdot, state.root)
  local by = motion_by_state(state, motions, self.rows, nu, self.turning)
  local seen = #state.rows > 0 and RowDerivatives.seen(state, state.robot, motions, state.gravity, vdot) or {}
  return {by = by, seen = seen}
end

-- J^T of what is artificial, by q.
function Implicit:artificial_by_position(nu)
  if self.by_state then self.artificial = forces_by_position(self.state, self.rows, nu, "artificial", self.turning) end
end

-- Adds to y a share of what forces cause along row j that change by `columns`: J M^-1 of these. Returns y.
function Implicit:add_caused(y, j, share, columns)
  local along = self.form.factor:forward(self.k[j])
  for c = 1, #columns[1] do
    local sum = 0
    for i = 1, #along do sum = sum + along[i] * columns[i][c] end
    y[c] = y[c] + share * sum
  end
  return y
end

-- Adds to y what passes row j of a driver whose forces change by `columns`: (1 - w) J M^-1 of these. Returns y.
function Implicit:add_passing(y, row, j, driver, columns)
  local share = Drivers.share(row, driver)
  return share == 0 and y or self:add_caused(y, j, share, columns)
end

-- Minus the coefficients of viscous friction, by coordinate.
function Implicit:viscous()
  local nb = self.state.chain.nb
  local D = Matrices.zero(nb + self.state.chain.nj)
  Gears.onto_full(D, nb, -1, self.state.viscous)
  return D
end

-- x and y of the derivative `by`, {name, wrench}, y of the rows in `index`; nil: zero. acts: does what is artificial
-- act?
function Implicit:right_sides(changes, index, acts, by)
  local state, rows = self.state, self.rows
  local n, nv = state.chain.nj, state.chain.nb + state.chain.nj
  local x, y = Matrices.zero(nv, 1), {}
  local name, w = by[1], by[2]
  if name == "q" or name == "qd" then
    x = Matrices.scale(-1, changes.by[name])
    if acts and name == "q" then x = Matrices.add(x, self.artificial) end
    for l, j in ipairs(index) do
      y[l] = {}
      for c = 1, nv do
        y[l][c] = -changes.seen[j][name][c]
        if name == "q" and self.passed[j] then y[l][c] = y[l][c] + self.passed[j][c] end
      end
      if name == "qd" then self:add_passing(y[l], rows[j], j, "viscous", self:viscous()) end
    end
  elseif name == "tau" or name == "tau_phys" then
    local there = acts or name == "tau_phys"
    x = there and Matrices.of_joints(state, Matrices.unit(nv)) or Matrices.zero(nv, n)
    local driver = name == "tau" and "tau_art" or name
    for l, j in ipairs(index) do
      y[l] = self.drivers.needed[driver] and
        self:add_passing(scalar.zeros(n), rows[j], j, driver, Matrices.of_joints(state, Matrices.unit(nv))) or nil
    end
  elseif name == "b" then
    x = Matrices.zero(nv, #rows)
    for l, j in ipairs(index) do y[l] = (j <= self.set_points and Matrices.unit or Matrices.zero)(#rows)[j] end
  else
    w.columns = w.columns or Matrices.wrench_columns(state, w)
    x = (acts or w.kind == "physical") and w.columns or Matrices.zero(nv, 6)
    for l, j in ipairs(index) do
      y[l] = {0, 0, 0, 0, 0, 0}
      if rows[j].group.yields and w.kind == "artificial" then self:add_caused(y[l], j, 1, w.columns) end
      self:add_passing(y[l], rows[j], j, w.name, w.columns)
    end
  end
  if #y == 0 then y = nil end
  return x, y
end

-- The answer of a system of rows (constraints.system) with the columns k.
function Implicit:response(k, system) return Implicit.answer(self.form, k, system) end

-- dvdot and dnu: W x + Q y, G y - Q^T x. r: response
function Implicit.accelerations(r, x, y)
  local by = Matrices.product(r.W, x)
  return y and Matrices.add(by, Matrices.product(r.Q, y)) or by
end
function Implicit.forces(r, x, y)
  if not r.Q then return {} end
  local change = Matrices.scale(-1, Matrices.product(Matrices.transpose(r.Q), x))
  return y and Matrices.add(change, Matrices.product(r.G(), y)) or change
end

-- The torques to command: J^T A dnu + d(J^T f) + dtau_art, of joints with a motor. columns: how many; nu_by: dnu.
function Implicit:commands(by, columns, nu_by)
  local state, command = self.state, {}
  local nb, name, w = state.chain.nb, by[1], by[2]
  for i = 1, state.chain.nj do
    command[i] = {}
    for c = 1, columns do
      local d = 0
      for j, row in ipairs(self.rows) do
        if row.group.kind == "artificial" then d = d + self.J[j][nb + i] * nu_by[j][c] end
      end
      if name == "q" then d = d + self.artificial[nb + i][c] end
      if name == "tau" and i == c then d = d + 1 end
      if w and w.kind == "artificial" then d = d + w.columns[nb + i][c] end
      command[i][c] = state.passive[i] and 0 or d
    end
  end
  return command
end

-- What turning wrenches add to dnu of these rows by q.
function Implicit:turn_back(rows, by_q) turn_back(self.state, rows, self.turning, by_q) end

-- results: by what, {qdd, nu, tau_ctrl}
function Implicit:put(results)
  local state = self.state
  for _, of in ipairs(Implicit.ofs) do
    for _, by in ipairs(self.bys) do
      local name, w = by[1], by[2]
      local matrix = self.asked(of, name) and results[name] and results[name][of]
      if matrix then
        state:put_derivative(of, name, Matrices.outward(state, matrix, of == "qdd", name == "q" or name == "qd"),
          w ~= nil, "feed-forward torque")
      end
    end
  end
end

return Implicit
