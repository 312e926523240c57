-- SPDX-License-Identifier: MIT
-- closures.lua: closed loops and held frames in a step of a simulator: ties and physical rows hold at the position that
-- the step comes to, not only in their acceleration, so that they do not drift.
--
-- With r(q) the residual of their rows, J their Jacobian and W the inverse of M + h D,
--   v  <- v - W J^T (J W J^T)^-1 J v                                        at q: what they push in the step
--   q+ <- q+ (+) d,   d = -W J^T (J W J^T)^-1 r,  J and r at q+, twice      Newton's steps
--   v+ <- v - W J^T (J W J^T)^-1 J v                                        J at q+
-- r of linear rows: the position of {to} in {frame}; of angular ones: sines of the angles by which it is turned there,
-- or, where it may turn about one axis, how that axis leans. It is 0 where the frames coincide along the rows. r of
-- frames that the world holds: held_frames.lua.
-- Impulses on contacts, limits and joints meet a robot whose loops are closed: in their rows J_c,
--   v  <- v + W_c J_c^T lambda,   W_c = W - W J^T (J W J^T)^-1 J W
-- Source: Hairer, Lubich, Wanner, Geometric Numerical Integration, 2006, IV.4 (projection).

local scalar = require "scalar"
local constraints = require "constraints"
local Tie = require "ties"
local Places = require "places"
local Held = require "held_frames"

local Closures = {}
Closures.__index = Closures

local newton_steps = 2

-- The groups whose rows a step holds: ties and frames, of kind "physical".
function Closures.groups(layout)
  local list = {}
  for _, g in ipairs(layout.groups) do
    if g.kind == "physical" and (not layout.step.loops or layout.step.loops[g.name]) then list[#list + 1] = g end
  end
  return list
end

-- Why the rows of a layout cannot be held: {what, remedy}, or nil.
function Closures.faults(layout)
  for _, g in ipairs(Closures.groups(layout)) do
    local function no(why)
      return {what = 'step holds the group "' .. g.name .. '", ' .. why,
        remedy = "leave it out of loops in step, or out of the layout"}
    end
    if not g.frame then return no("whose rows are along joints: a step holds frames and ties") end
    if g.free or g.axes == "input" then return no("whose directions are not known before it runs") end
    for k in ipairs(g.rows) do
      if g.compliance and g.compliance[k] and g.compliance[k] ~= 0 then return no("whose rows are soft") end
    end
  end
end

-- The rows of a tie in a state: their Jacobian by row and coordinate (the base's along its own axes), residuals; what
-- closure_slopes.lua takes of it.
local function tie_rows(state, g)
  local group = {name = g.name, rows = g.rows, axes = g.axes, frame = g.frame, to = g.to, b = {}}
  local tie, rows = Tie.new(state.robot, group), constraints.list {group}
  local J = constraints.jacobian(state.robot, group, rows, "wrench", {
    wrenches_of = function(row) return tie:wrenches(row) end, stop = tie.stop,
  })
  return J, tie:residual(), rows, {group = g, tie = tie}
end

-- v by coordinate, its base part turned: "inward" to the base's own axes, "outward" to those of the world.
function Closures.along(state, v, turn)
  local base = state.base
  if not base then return v end
  local r = base[turn](base, v)
  for c = state.chain.nb + 1, #v do r[c] = v[c] end
  return r
end
local along = Closures.along

-- state, place: at the beginning of the step; form: its M + h D, in joint space. nil, where nothing is held.
function Closures.new(state, place, form)
  local groups = Closures.groups(state.layout)
  if #groups == 0 then return nil end
  local self = setmetatable({groups = groups, form = form, state = state, place = place, acted = {}}, Closures)
  self.solved = {} -- in order: {at, e, lambda, velocities} of each solve; closure_slopes.lua
  self.held = {}
  for _, g in ipairs(groups) do self.held[g] = not g.to and Held.new(state, place, g) or nil end
  return self
end

-- All rows in a state: J by row and coordinate (the base's along its own axes), residuals, rows, and by group what
-- closure_slopes.lua takes. moved: of held_frames.lua.
function Closures:rows(state, place, moved)
  local J, r, all, parts = {}, {}, {}, {}
  for _, g in ipairs(self.groups) do
    local part, away, rows, more
    if g.to then
      part, away, rows, more = tie_rows(state, g)
    else
      part, away, rows, more = self.held[g]:rows(state, place, moved)
      for k, row in ipairs(part) do part[k] = along(state, row, "inward") end
    end
    parts[#parts + 1] = more
    for k, row in ipairs(rows) do J[#J + 1], r[#r + 1], all[#all + 1] = part[k], away[k], row end
  end
  return J, r, all, parts
end

-- The rows in a state: {J, r; push: W J^T lambda and lambda = (J W J^T)^-1 x of numbers x by row; free: of u = L^-T x,
-- x a force by coordinate, the same of x and of what the rows push against it; and what closure_slopes.lua takes}.
function Closures:at(state, place, moved)
  local form, none = self.form, {}
  local J, r, rows, parts = self:rows(state, place, moved)
  local k, m = form:project_columns(J), #J
  for j = 1, m do none[j] = false end
  local system = constraints.system({
    k = k, inv = form.inv, masks = none, soft = none, policy = "drop", threshold = state.single and 1e-6 or 1e-12,
    scales = constraints.scales(state.chain, rows, k, form.inv, constraints.reach_threshold(state.single)),
    single = state.single, plain = true,
  }, {}, scalar.zeros(m))
  for _, x in ipairs(system.acted) do self.acted[#self.acted + 1] = x end
  local function pushed(u, target)
    local lambda, e = system.solve(u, target, true), {}
    for i = 1, form.n do
      e[i] = u[i] or 0
      for j = 1, m do e[i] = e[i] + k[j][i] * lambda[j] end
    end
    return e, lambda
  end
  return {
    J = J, r = r, state = state, parts = parts, k = k, system = system,
    push = function(target)
      local e, lambda = pushed({}, target)
      return form:accelerate(e), lambda
    end,
    free = function(u) return (pushed(u, scalar.zeros(m))) end,
  }
end

-- Velocities v, along the axes of the world, that the rows `at` a state allow.
function Closures:allowed(at, state, v)
  ag.region("held rows: velocities that they allow", "held")
  local inner, target = along(state, v, "inward"), {}
  for j, row in ipairs(at.J) do target[j] = -scalar.sum_of_products(row, inner) end
  local e, lambda = at.push(target)
  local change, held = along(state, e, "outward"), {}
  for c = 1, #v do held[c] = v[c] + change[c] end
  self.solved[#self.solved + 1] = {at = at, e = change, lambda = lambda, velocities = held}
  return held
end

-- The rows at the beginning of the step.
function Closures:start()
  self.begun = self.begun or self:at(self.state, self.place, true)
  return self.begun
end

-- x of the rows that are held, `none` of the layout's others: a list over all rows, as outputs have them.
function Closures:of_all(x, none)
  local list, at, held = {}, 0, {}
  for _, g in ipairs(self.groups) do held[g.name] = true end
  for _, g in ipairs(self.state.layout.groups) do
    for _ = 1, #g.rows do
      at = held[g.name] and at + 1 or at
      list[#list + 1] = held[g.name] and x[at] or none
    end
  end
  return list
end

-- What the rows push in the step, as forces, by row of the layout.
function Closures:forces(h)
  local rate, nu = scalar.divide(1, h), {}
  for j, x in ipairs(self.solved[1].lambda) do nu[j] = rate * x end
  return self:of_all(nu, 0)
end

-- The place moved to where all rows are closed, and the velocities that they allow there.
function Closures:closed(place, v)
  local state = self.state
  for _ = 1, newton_steps do
    local there = Places.state(state, place, v)
    ag.region("held rows: closed at the end of the step", "held")
    local at, target = self:at(there, place, false), {}
    for j, x in ipairs(at.r) do target[j] = -x end
    local e, lambda = at.push(target)
    local d = along(there, e, "outward")
    self.solved[#self.solved + 1] = {at = at, e = d, lambda = lambda}
    place = Places.moved(state, place, d, true)
  end
  local there = Places.state(state, place, v)
  return place, self:allowed(self:at(there, place, true), there, v)
end

return Closures
