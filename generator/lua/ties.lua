-- ties.lua: rows between two frames of the tree: the motion of {to} relative to {frame}, along the axes of {frame}.
--
-- The residual of a tie is the position of {to} in {frame}, and its rotation. Its second derivative, with P the
-- point of {frame}'s body where the origin of {to} stands, everything along the axes of that body:
--   linear   a_to - a_P - 2 w x (v_to - v_P),   a_P = a + U P
--   angular  wd_to - wd - w x w_to
-- The row's force acts on {to} and, at the same point, back on {frame}. Gravity drops out; beyond the last body
-- that carries both so does everything else.

local M = require "spatial"
local K = require "motion"
local R = require "rows"

local Tie = {}
Tie.__index = Tie

-- group: {frame, to}, both {body, p, R}.
function Tie.new(robot, group)
  local self = setmetatable({group = group, frame = group.frame, to = group.to}, Tie)
  ag.region("tie: " .. group.name)
  self.stop = K.common(robot, self.frame.body, self.to.body)
  self.here, self.here_twist = K.seen_from(robot, self.frame.body, self.stop)
  self.there, self.there_twist = K.seen_from(robot, self.to.body, self.stop)
  local tip = M.add(self.there.p, M.mul(self.there.R, self.to.p))
  self.P = M.mul_transposed(self.here.R, M.sub(tip, self.here.p))
  return self
end

-- Vectors from the axes of the one body to those of the other.
function Tie:to_there(v) return M.mul_transposed(self.there.R, M.mul(self.here.R, v)) end
function Tie:to_here(v) return M.mul_transposed(self.here.R, M.mul(self.there.R, v)) end

-- A row's unit force, {[body] = wrench about its origin in its axes}.
function Tie:wrenches(row)
  local f, n = M.mul(self.frame.R, row.dir.lin), M.mul(self.frame.R, row.dir.ang)
  local f_to, n_to = self:to_there(f), self:to_there(n)
  return {
    [self.to.body] = {f = f_to, n = M.add(n_to, M.cross(self.to.p, f_to))},
    [self.frame.body] = {f = M.neg(f), n = M.neg(M.add(n, M.cross(self.P, f)))},
  }
end

-- What the rows see of a motion: {[k] = ...}.
function Tie:seen(rows, motion)
  local here, there = motion[self.frame.body], motion[self.to.body]
  local t, u = self.here_twist, self.there_twist
  local v_to = self:to_here(M.add(u.v, M.cross(u.w, self.to.p)))
  local v = M.sub(v_to, M.add(t.v, M.cross(t.w, self.P)))
  local a_to = self:to_here(M.add(there.a, M.mul(there.U, self.to.p)))
  local a = M.sub(a_to, M.add(here.a, M.mul(here.U, self.P)))
  local lin = M.sub(a, M.scale(2, M.cross(here.w, v)))
  local ang = M.sub(M.sub(self:to_here(there.wd), here.wd), M.cross(here.w, self:to_here(there.w)))
  return R.along(self.group, rows, M.mul_transposed(self.frame.R, lin), M.mul_transposed(self.frame.R, ang))
end

return Tie
