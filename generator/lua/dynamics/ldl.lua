-- SPDX-License-Identifier: MIT
-- ldl.lua: L = C D^-1 C^T of the row system, and its solve.
--   c_jk = L_jk - sum_i c_ji l_ki,  l = c / d,  d_k = L_kk - sum_i c_ki l_ki
-- Of few rows column by column. Of many, the same numbers block by block, in steps of rows (row_steps.lua).

local row_steps = require "row_steps"

local Ldl = {}
Ldl.__index = Ldl

-- inverse_of(k, d): what takes the place of 1 / d_k. r: the first right side of many rows, which its factors are
-- applied to on the way; nil: the rows are few.
function Ldl.new(L, inverse_of, r)
  local self = setmetatable({L = L, m = #L, c = {}, l = {}, inv = {}, inverse_of = inverse_of}, Ldl)
  for k = 1, self.m do self.c[k], self.l[k] = {}, {} end
  self.by_blocks = r ~= nil
  if r then
    self:take_blocks(r)
  else
    for k = 1, self.m do
      self:invert(k)
      for j = k + 1, self.m do self:take(j, k) end
    end
  end
  return self
end

-- d_k by the rows so far.
function Ldl:left_of(k)
  local c, l, d = self.c[k], self.l[k], self.L[k][k]
  for i = 1, #c do d = d - c[i] * l[i] end
  return d
end

function Ldl:invert(k) self.inv[k] = self.inverse_of(k, ag.label(self:left_of(k), "d_" .. k)) end

-- c_jk and l_jk
function Ldl:take(j, k)
  local c, l, v = self.c, self.l, self.L[j][k]
  for i = 1, k - 1 do v = v - c[j][i] * l[k][i] end
  c[j][k], l[j][k] = v, v * self.inv[k]
  local row = self.by_blocks and "" or j .. "_" -- which the step is about
  ag.hint({c[j][k], l[j][k]}, {"c" .. row .. k, "l" .. row .. k})
end

-- y_k of l y = r, by the rows so far.
function Ldl:forward(y, r, k)
  local l = self.l[k]
  y[k] = r[k]
  for i = 1, #l do y[k] = y[k] - l[i] * y[i] end
end

-- What the rows before leave of c among the rows from `first` to `last`: sums that `take` goes on with.
function Ldl:leave_block(first, last)
  local c, l, v = self.c, self.l, {}
  for j = first, last do v[j] = table.move(self.L[j], 1, j, 1, {}) end
  for i = 1, first - 1 do
    row_steps.of_block(first, i, "L = C D^-1 C^T of a block", 2 * row_steps.block)
    for j = first + 1, last do
      for k = first, j - 1 do v[j][k] = v[j][k] - c[j][i] * l[k][i] end
    end
  end
end

function Ldl:take_blocks(r)
  local y = {}
  for first = 1, self.m, row_steps.block do
    local last = math.min(first + row_steps.block - 1, self.m)
    for j = first, last do
      for k = 1, first - 1 do -- with what row k is to d_j and y_j
        row_steps.of_block(j, k, "L = C D^-1 C^T")
        self:take(j, k)
        self:left_of(j)
        self:forward(y, r, j)
      end
    end
    self:leave_block(first, last)
    for j = first, last do
      for k = first, j - 1 do
        row_steps.of_block(j, k, "L = C D^-1 C^T")
        self:take(j, k)
      end
      self:forward(y, r, j)
      ag.region("rows: pivots", "rows")
      self:invert(j)
    end
  end
end

-- nu of L nu = r: forward, then back. What is known last is taken last, so that the least is left to do then.
function Ldl:solve(r)
  if self.by_blocks then return self:solve_blocks(r) end
  local l, m, y, nu = self.l, self.m, {}, {}
  for k = 1, m do
    self:forward(y, r, k)
    ag.hint({y[k]}, {"y" .. k})
  end
  for k = m, 1, -1 do
    nu[k] = y[k] * self.inv[k]
    for j = m, k + 1, -1 do nu[k] = nu[k] - l[j][k] * nu[j] end
  end
  return nu
end

function Ldl:solve_blocks(r)
  local l, m, size, y, nu = self.l, self.m, 2 * row_steps.block, {}, {}
  for first = 1, m, size do
    local last = math.min(first + size - 1, m)
    for j = first, last do
      y[j] = r[j]
      for k = 1, first - 1 do
        row_steps.of_block(j, k, "forward", size)
        y[j] = y[j] - l[j][k] * y[k]
      end
    end
    row_steps.begin("rows: forward inside a block", first)
    for j = first, last do
      for k = first, j - 1 do y[j] = y[j] - l[j][k] * y[k] end
    end
  end
  ag.region("rows: nu", "rows")
  for k = m, 1, -1 do nu[k] = y[k] * self.inv[k] end
  for first = (m - 1) // size * size + 1, 1, -size do
    local last = math.min(first + size - 1, m)
    row_steps.begin("rows: back inside a block", first)
    for j = last, first, -1 do
      for k = j - 1, first, -1 do nu[k] = nu[k] - l[j][k] * nu[j] end
    end
    for j = last, first, -1 do
      for k = 1, first - 1 do
        row_steps.of_block(j, k, "back", size)
        nu[k] = nu[k] - l[j][k] * nu[j]
      end
    end
  end
  return nu
end

return Ldl
