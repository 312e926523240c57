-- SPDX-License-Identifier: MIT
-- ties.lua: rows between two frames of the tree: the motion of {to} relative to {frame}, along the axes of {frame}.
--
-- The residual of a tie is the position of {to} in {frame}, and its rotation. Its second derivative, with P the
-- point of {frame}'s body where the origin of {to} stands, everything along the axes of that body:
--   linear   a_to - a_P - 2 w x (v_to - v_P),   a_P = a + U P
--   angular  wd_to - wd - w x w_to
-- The row's force acts on {to} and, at the same point, back on {frame}. Gravity drops out; beyond the last body
-- that carries both so does everything else.

local scalar = require "scalar"
local spatial = require "spatial"
local motion = require "motion"
local constraints = require "constraints"
local Base = require "moving_base"

local Tie = {}
Tie.__index = Tie

-- group: {frame, to}, both {body, p, R}.
function Tie.new(robot, group)
  local self = setmetatable({group = group, frame = group.frame, to = group.to}, Tie)
  ag.region("tie: " .. group.name, group.name)
  self.stop = motion.common(robot, self.frame.body, self.to.body)
  self.here, self.here_twist = motion.seen_from(robot, self.frame.body, self.stop)
  self.there, self.there_twist = motion.seen_from(robot, self.to.body, self.stop)
  local tip = self.there.p + self.there.R * self.to.p
  self.P = spatial.mul_transposed(self.here.R, tip - self.here.p)
  return self
end

-- Vectors from the axes of the one body to those of the other.
function Tie:to_there(v) return spatial.mul_transposed(self.there.R, self.here.R * v) end
function Tie:to_here(v) return spatial.mul_transposed(self.here.R, self.there.R * v) end

-- A row's unit force, {[body] = wrench about its origin in its axes}.
function Tie:wrenches(row)
  local f, n = self.frame.R * row.dir.lin, self.frame.R * row.dir.ang
  local f_to, n_to = self:to_there(f), self:to_there(n)
  return {
    [self.to.body] = {f = f_to, n = n_to + spatial.cross(self.to.p, f_to)},
    [self.frame.body] = {f = -f, n = -(n + spatial.cross(self.P, f))},
  }
end

-- The acceleration of {to} relative to {frame} in a motion, linear, angular, and its velocity, along the axes of
-- {frame}.
function Tie:relative(motions)
  local here, there = motions[self.frame.body], motions[self.to.body]
  local t, u = self.here_twist, self.there_twist
  local v_to = self:to_here(u.v + spatial.cross(u.w, self.to.p))
  local v = v_to - (t.v + spatial.cross(t.w, self.P))
  local a_to = self:to_here(there.a + there.U * self.to.p)
  local a = a_to - (here.a + here.U * self.P)
  local lin = a - 2 * spatial.cross(here.w, v)
  local ang = self:to_here(there.wd) - here.wd - spatial.cross(here.w, self:to_here(there.w))
  local R = self.frame.R
  return spatial.mul_transposed(R, lin), spatial.mul_transposed(R, ang), spatial.mul_transposed(R, v)
end

-- What the rows see of a motion: {[k] = ...}.
function Tie:seen(rows, motions)
  local lin, ang = self:relative(motions)
  return constraints.along(self.group, rows, lin, ang)
end

local axis_of = {lin_x = 1, lin_y = 2, lin_z = 3, ang_x = 1, ang_y = 2, ang_z = 3}
Tie.axis_of = axis_of

-- How {to} is turned in {frame}.
function Tie:rotation()
  return spatial.transpose(self.frame.R) * (spatial.transpose(self.here.R) * (self.there.R * self.to.R))
end

-- What the rows read, in their order, of the position `at` of {to} in {frame}, and of how it is turned there, R: sines
-- of angles, or, where it may turn about one axis, how that axis leans. Both as they are, or changes of them. R may be
-- nil where no row is angular.
function Tie:readings(at, R)
  local rows, turned, free, list = self.group.rows, self:turned(), nil, {}
  if turned == 2 then -- free: the axis about which it may turn
    free = 6
    for _, name in ipairs(rows) do free = free - (name:match("^ang") and axis_of[name] or 0) end
  end
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

-- How many rows are angular.
function Tie:turned()
  local turned = 0
  for _, name in ipairs(self.group.rows) do turned = turned + (name:match("^ang") and 1 or 0) end
  return turned
end

-- The residual of the rows.
function Tie:residual()
  local frame = self.frame
  return self:readings(spatial.mul_transposed(frame.R, self.P - frame.p), self:turned() > 0 and self:rotation() or nil)
end

-- Rows of ties that hold whatever the joints do, or follow from the rows before them, cannot be solved for: the first
-- such {group, k, alone}, or nil. Soft rows follow from none, and none from them. Tested at three positions that fit no
-- pattern, on plain numbers.
function Tie.redundant(chain, groups)
  local suspects
  for trial = 1, 3 do
    local q, trig, rows, found = {}, {c = {}, s = {}, turn = {}}, {}, {}
    for i = 1, chain.n do
      q[i] = 0.31 + (0.618034 * i * trial + 0.271828 * trial) % 1
      trig.s[i], trig.c[i] = ag.sincos(q[i])
    end
    for _, ball in ipairs(chain.balls) do
      local i = ball.body
      trig.turn[i] = Base.rotation_of {trig.c[i], trig.s[i], trig.c[i + 1], trig.s[i + 1]}
    end
    local base = chain.nb > 0 and {R = spatial.identity, w = spatial.zero, v = spatial.zero} or nil
    local robot = motion.robot(chain, q, nil, trig, base)
    for _, g in ipairs(groups) do
      if g.to then
        local group = {name = g.name, rows = g.rows, axes = g.axes, frame = g.frame, to = g.to, b = {}}
        local tie, list = Tie.new(robot, group), constraints.list{group}
        local J = constraints.jacobian(robot, group, list, "wrench", {
          wrenches_of = function(row) return tie:wrenches(row) end, stop = tie.stop,
        })
        for k = 1, #g.rows do
          rows[#rows + 1] = {group = g, k = k, J = J[k], soft = g.compliance and g.compliance[k] ~= 0}
        end
      end
    end
    local largest, kept = 0, {}
    for _, row in ipairs(rows) do largest = math.max(largest, scalar.sum_of_products(row.J, row.J)) end
    for j, row in ipairs(rows) do
      local rest, whole = table.move(row.J, 1, #row.J, 1, {}), scalar.sum_of_products(row.J, row.J)
      for _, other in ipairs(kept) do
        local share = scalar.sum_of_products(rest, other) / scalar.sum_of_products(other, other)
        for c = 1, #rest do rest[c] = rest[c] - share * other[c] end
      end
      local alone = whole <= 1e-20 * largest
      if alone or not row.soft and scalar.sum_of_products(rest, rest) <= 1e-20 * whole then
        found[j] = {group = row.group, k = row.k, alone = alone}
      elseif not row.soft then
        kept[#kept + 1] = rest
      end
    end
    suspects = suspects or found
    for j = 1, #rows do
      if not found[j] then suspects[j] = nil end
    end
    suspects.n = #rows
  end
  for j = 1, suspects.n do
    if suspects[j] then return suspects[j] end
  end
end

return Tie
