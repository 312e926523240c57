-- SPDX-License-Identifier: MIT
-- closures.lua: closed loops in a step of a simulator: ties hold at the position that the step comes to, not only in
-- their acceleration, so that they do not drift.
--
-- With r(q) the residual of the ties' rows, J their Jacobian and W the inverse of M + h D,
--   v  <- v - W J^T (J W J^T)^-1 J v                                        at q: what the ties push in the step
--   q+ <- q+ (+) d,   d = -W J^T (J W J^T)^-1 r,  J and r at q+, twice      Newton's steps
--   v+ <- v - W J^T (J W J^T)^-1 J v                                        J at q+
-- r of linear rows: the position of {to} in {frame}; of angular ones: sines of the angles by which it is turned there,
-- or, where it may turn about one axis, how that axis leans. It is 0 where the frames coincide along the rows.
-- Source: Hairer, Lubich, Wanner, Geometric Numerical Integration, 2006, IV.4 (projection).

local scalar = require "scalar"
local spatial = require "spatial"
local constraints = require "constraints"
local Tie = require "ties"
local Places = require "places"

local Closures = {}
Closures.__index = Closures

local newton_steps = 2

-- The ties that a layout holds in a step.
function Closures.ties(layout)
  local list = {}
  for _, g in ipairs(layout.groups) do
    if g.to and (not layout.step.loops or layout.step.loops[g.name]) and g.kind == "physical" then
      list[#list + 1] = g
    end
  end
  return list
end

local axis_of = {lin_x = 1, lin_y = 2, lin_z = 3, ang_x = 1, ang_y = 2, ang_z = 3}

-- The residual of the rows of a tie, in their order.
local function residual(tie, rows)
  local frame, to = tie.frame, tie.to
  local at = spatial.mul_transposed(frame.R, tie.P - frame.p)
  local turned = 0
  for _, name in ipairs(rows) do turned = turned + (name:match("^ang") and 1 or 0) end
  local R
  if turned > 0 then
    R = spatial.transpose(frame.R) * (spatial.transpose(tie.here.R) * (tie.there.R * to.R))
  end
  local free -- the axis about which it may turn
  if turned == 2 then
    free = 6
    for _, name in ipairs(rows) do free = free - (name:match("^ang") and axis_of[name] or 0) end
  end
  local list = {}
  for k, name in ipairs(rows) do
    local a = axis_of[name]
    local b, c = a % 3 + 1, (a + 1) % 3 + 1
    if name:match("^lin") then
      list[k] = at[a]
    elseif free == c then
      list[k] = -R[b][c]
    elseif free == b then
      list[k] = R[c][b]
    else
      list[k] = 0.5 * (R[c][b] - R[b][c])
    end
  end
  return list
end

-- The rows of all ties in a state: their Jacobian J by row and coordinate (the base's along its own axes), residuals.
local function rows_of(state, ties)
  local J, r, all = {}, {}, {}
  for _, g in ipairs(ties) do
    local group = {name = g.name, rows = g.rows, axes = g.axes, frame = g.frame, to = g.to, b = {}}
    local tie, rows = Tie.new(state.robot, group), constraints.list {group}
    local part = constraints.jacobian(state.robot, group, rows, "wrench", {
      wrenches_of = function(row) return tie:wrenches(row) end, stop = tie.stop,
    })
    local away = residual(tie, g.rows)
    for k, row in ipairs(rows) do
      J[#J + 1], r[#r + 1], all[#all + 1] = part[k], away[k], row
    end
  end
  return J, r, all
end

-- state: at the beginning of the step; form: its M + h D, in joint space; h: nil, where nothing is held.
function Closures.new(state, form)
  local ties = Closures.ties(state.layout)
  if #ties == 0 then return nil end
  return setmetatable({ties = ties, form = form, state = state, acted = {}}, Closures)
end

-- W J^T (J W J^T)^-1 as a function of numbers by row, for the rows in a state; and J, r of these.
function Closures:at(state)
  local form, m = self.form, 0
  local J, r, rows = rows_of(state, self.ties)
  m = #J
  local k, none = form:project_columns(J), {}
  for j = 1, m do none[j] = false end
  local system = constraints.system({
    k = k, inv = form.inv, masks = none, soft = none, policy = "drop", threshold = state.single and 1e-6 or 1e-12,
    scales = constraints.scales(state.chain, rows, k, form.inv, constraints.reach_threshold(state.single)),
    single = state.single, plain = true,
  }, {}, scalar.zeros(m))
  for _, x in ipairs(system.acted) do self.acted[#self.acted + 1] = x end
  local function push(target)
    local lambda, e = system.solve({}, target, true), {}
    for i = 1, form.n do
      e[i] = 0
      for j = 1, m do e[i] = e[i] + k[j][i] * lambda[j] end
    end
    return form:accelerate(e)
  end
  return push, J, r
end

local function along(state, v, turn)
  local base = state.base
  if not base then return v end
  local r = base[turn](base, v)
  for c = state.chain.nb + 1, #v do r[c] = v[c] end
  return r
end

-- Velocities v, along the axes of the world, that the ties of a state allow.
function Closures:allowed(state, v)
  ag.region("ties: velocities that they allow", "ties")
  local push, J = self:at(state)
  local inner, target = along(state, v, "inward"), {}
  for j, row in ipairs(J) do target[j] = -scalar.sum_of_products(row, inner) end
  local change = along(state, push(target), "outward")
  local held = {}
  for c = 1, #v do held[c] = v[c] + change[c] end
  return held
end

-- The place moved to where the ties are closed, and the velocities that they allow there.
function Closures:closed(place, v)
  local state = self.state
  for _ = 1, newton_steps do
    local there = Places.state(state, place, v)
    ag.region("ties: closed at the end of the step", "ties")
    local push, _, r = self:at(there)
    local target = {}
    for j, x in ipairs(r) do target[j] = -x end
    place = Places.moved(state, place, along(there, push(target), "outward"), true)
  end
  return place, self:allowed(Places.state(state, place, v), v)
end

return Closures
