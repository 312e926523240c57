-- SPDX-License-Identifier: MIT
-- null_space.lua: linear equations for accelerations, solved before the dynamics: what they fix, and what they leave
-- free.
--
--     J x = c      any particular x;      J z = 0      z spans what the equations leave free
--     J^T lambda = t                      for a t that J^T reaches
-- Columns of constants are eliminated first, by constant pivots; what is left, B, is made orthogonal by Gram and
-- Schmidt: B = C Q, Q Q^T = diag(d), so
--     x = Q^T d^-1 C^-1 c,   lambda = C^-T d^-1 Q t
-- and z, where B has one column more than rows, are B's minors: no division. B falls into blocks that share
-- neither rows nor columns; each is solved alone. Where the equations leave more than one motion of the same columns
-- free, columns h are held out until what is left of J, J_r, leaves one at most in each block:
--     J_r x_r = c, x_h = 0,   and besides what the minors give for each h a z:   z_h = 1, J_r z_r = -J_h
-- These z stand on the same pivots as x, and are independent: each is alone in moving its h.
-- Source: Bjorck, Solving linear least squares problems by Gram-Schmidt orthogonalization, BIT 7, 1967; for z, the
-- generalized cross product, and the fundamental matrix of variable reduction (Gill, Murray, Wright, Practical
-- Optimization, 5.1).

local scalar = require "scalar"

local NullSpace = {}
NullSpace.__index = NullSpace

local least_constant_pivot = 0.05 -- of the scale of its row, a number
local most_rows_of_minors = 4
local most_rows_whole = 6 -- that may come down to those by constant pivots
NullSpace.floor = 1e-2 -- a row's square counts as no less than this of the square of its scale

local function upto(n)
  local list = {}
  for i = 1, n do list[i] = i end
  return list
end

local dot = scalar.sum_of_products

-- The constant that is largest beside its row's scale among the columns that have nothing else. square: by row that of
-- the scale.
local function constant_pivot(B, square, rows, columns)
  local best, at_row, at_column = least_constant_pivot, nil, nil
  for _, q in ipairs(columns) do
    local constant = true
    for _, r in ipairs(rows) do constant = constant and scalar.is_number(B[r][q]) end
    for _, r in ipairs(constant and rows or {}) do
      local size = scalar.is_number(square[r]) and
        math.abs(scalar.value(B[r][q])) / math.sqrt(scalar.value(square[r])) or 0
      if size > best then best, at_row, at_column = size, r, q end
    end
  end
  return at_row, at_column
end

-- Takes column `column` out of all rows but `row`; leaves the two out of the lists.
local function eliminate(B, rows, columns, row, column)
  local step = {row = row, column = column, pivot = B[row][column], factor = {}, rest = {}}
  local rows_left, columns_left = {}, {}
  for _, q in ipairs(columns) do
    if q ~= column then
      columns_left[#columns_left + 1] = q
      step.rest[q] = B[row][q]
    end
  end
  for _, r in ipairs(rows) do
    if r ~= row then
      rows_left[#rows_left + 1] = r
      local f = scalar.divide(B[r][column], step.pivot)
      step.factor[r] = f
      for _, q in ipairs(columns_left) do B[r][q] = B[r][q] - f * B[row][q] end
    end
  end
  return step, rows_left, columns_left
end

-- Rows and columns that hang together: {{rows = , columns = }}; nil: a row has no columns.
local function blocks_of(B, rows, columns)
  local blocks, of_row = {}, {}
  for _, q in ipairs(columns) do
    local joined, kept = {rows = {}, columns = {q}}, {}
    for _, r in ipairs(rows) do
      if not scalar.is_zero(B[r][q]) and not of_row[r] then
        of_row[r] = joined
        joined.rows[#joined.rows + 1] = r
      elseif not scalar.is_zero(B[r][q]) and of_row[r] ~= joined then
        local other = of_row[r]
        for _, r2 in ipairs(other.rows) do
          of_row[r2] = joined
          joined.rows[#joined.rows + 1] = r2
        end
        for _, q2 in ipairs(other.columns) do joined.columns[#joined.columns + 1] = q2 end
        other.gone = true
      end
    end
    for _, b in ipairs(blocks) do
      if not b.gone then kept[#kept + 1] = b end
    end
    kept[#kept + 1] = joined
    blocks = kept
  end
  for _, r in ipairs(rows) do
    if not of_row[r] then return nil end -- a row that no joint moves
  end
  for _, b in ipairs(blocks) do
    table.sort(b.rows)
    table.sort(b.columns)
  end
  return blocks
end

-- Is what a block leaves free spanned by its minors? most: rows of which these are made; huge: constant pivots may do
-- what is missing.
local function spanned(block, most)
  local free = #block.columns - #block.rows
  return most == math.huge or free == 0 or (free == 1 and #block.rows <= most)
end
local function all_spanned(blocks)
  for _, b in ipairs(blocks) do
    if not spanned(b, most_rows_of_minors) then return false end
  end
  return true
end

-- Does another column of the block do the same, as those of parallel axes may?
local function has_twin(J, block, q)
  for _, other in ipairs(block.columns) do
    local same = other ~= q
    for _, r in ipairs(block.rows) do same = same and J[r][q] == J[r][other] end
    if same then return true end
  end
  return false
end

-- Of the columns of a block the one to hold out: one that is preferred, else one that has a twin, else the one that
-- moves most rows, which ties most of them together; the last of these. preferred: {[column] = true}
local function column_to_hold(J, block, preferred)
  local pick, most = nil, -1
  for _, q in ipairs(block.columns) do
    local touched = (preferred[q] and 2 * #J or 0) + (has_twin(J, block, q) and #J or 0)
    for _, r in ipairs(block.rows) do touched = touched + (scalar.is_zero(J[r][q]) and 0 or 1) end
    if touched >= most then pick, most = q, touched end
  end
  return pick
end

local function without(columns, q)
  local rest = {}
  for _, c in ipairs(columns) do
    if c ~= q then rest[#rest + 1] = c end
  end
  return rest
end

-- Holds columns out, besides those `held`, until all blocks are spanned. Returns the columns that stay, and all that
-- are held out; nil: rows ask for more than there is.
local function hold_out(J, rows, columns, held, preferred, most)
  held = table.move(held, 1, #held, 1, {})
  for _, q in ipairs(held) do columns = without(columns, q) end
  while true do
    local blocks, wide = blocks_of(J, rows, columns), nil
    for _, b in ipairs(blocks or {}) do
      if #b.columns < #b.rows then return nil end
      if not spanned(b, most) then wide = b end
    end
    if not wide then return blocks and columns, held end
    held[#held + 1] = column_to_hold(J, wide, preferred)
    columns = without(columns, held[#held])
  end
end

-- The determinants of the first r rows of B without one of r + 1 columns, with alternating signs: B z = 0. Two rows
-- at a time: the minors of rows 1, 2 and of rows 3, 4, by Laplace.
local function minors(B)
  local m = #B
  if m == 0 then return {1} end
  if m == 1 then return {B[1][2], -B[1][1]} end
  local function two(a, b)
    local P = {}
    for i = 1, m + 1 do
      P[i] = {}
      for j = i + 1, m + 1 do
        P[i][j] = B[a][i] * B[b][j] - B[a][j] * B[b][i]
        ag.hint({P[i][j]}, {"minor" .. a .. b .. "_" .. i .. j})
      end
    end
    return P
  end
  local P, Q, z = two(1, 2), m == 4 and two(3, 4), {}
  for out = 1, m + 1 do
    local c, det = {}, nil
    for i = 1, m + 1 do
      if i ~= out then c[#c + 1] = i end
    end
    local i, j, k, l = c[1], c[2], c[3], c[4]
    if m == 2 then
      det = P[i][j]
    elseif m == 3 then
      det = P[i][j] * B[3][k] - P[i][k] * B[3][j] + P[j][k] * B[3][i]
    else
      det = (P[i][j] * Q[k][l] - P[i][k] * Q[j][l]) + (P[i][l] * Q[j][k] + P[j][k] * Q[i][l])
        + (P[k][l] * Q[i][j] - P[j][l] * Q[i][k])
    end
    z[out] = out % 2 == 1 and det or -det
  end
  return z
end

local function all_zero(list)
  for _, x in ipairs(list) do
    if not scalar.is_zero(x) then return false end
  end
  return true
end

-- Gram and Schmidt on the rows of B: x of c, lambda of t, and per row d and |B|^2. nil: a d is the
-- constant 0, which is not needed `anyway`. What is left of a row is a projection of it: no longer, but for
-- rounding.
local function orthogonalize(B, anyway)
  local m, n, q, l, d, inv, whole = #B, #B[1], {}, {}, {}, {}, {}
  for a = 1, m do
    q[a], l[a], whole[a] = table.move(B[a], 1, n, 1, {}), {}, dot(B[a], B[a])
  end
  for a = 1, m do
    d[a] = dot(q[a], q[a])
    if not anyway and scalar.is_number(d[a]) and scalar.value(d[a]) <= 0 then return nil end
    ag.label(d[a], "d_" .. a)
    inv[a] = scalar.divide(1, d[a])
    ag.hint({inv[a]}, {"inverse_d_" .. a})
    for b = a + 1, m do
      l[b][a] = dot(q[a], q[b]) * inv[a]
      ag.hint({l[b][a]}, {"l" .. b .. "_" .. a})
      for i = 1, n do
        q[b][i] = ag.no_longer(q[b][i] - l[b][a] * q[a][i], whole[b])
        ag.hint({q[b][i]}, {"q" .. b .. "_" .. i .. "_less" .. a})
      end
    end
  end
  local function particular(c)
    local y, x = {}, {}
    for k = 1, m do
      y[k] = c[k]
      for i = 1, k - 1 do y[k] = y[k] - l[k][i] * y[i] end
    end
    for k = 1, m do
      y[k] = y[k] * inv[k]
      ag.hint({y[k]}, {"y" .. k})
    end
    for i = 1, n do
      x[i] = 0
      for k = 1, m do x[i] = x[i] + q[k][i] * y[k] end
    end
    for i = 1, n do ag.hint({x[i]}, {"x" .. i}) end
    return x
  end
  local function dual(t)
    local lambda = {}
    for k = m, 1, -1 do
      lambda[k] = dot(q[k], t) * inv[k]
      for j = k + 1, m do lambda[k] = lambda[k] - l[j][k] * lambda[j] end
      ag.hint({lambda[k]}, {"lambda" .. k})
    end
    return lambda
  end
  return {particular = particular, dual = dual, d = d, whole = whole}
end

-- Eliminates, by the steps of a plan or those that are found. Returns the rows and columns that are left, and B.
function NullSpace:eliminate(J, columns, square, plan)
  local rows, B = upto(#J), {}
  self.steps = {}
  for r = 1, #J do B[r] = table.move(J[r], 1, self.n, 1, {}) end
  while true do
    local row, column
    if plan then
      local step = plan.steps[#self.steps + 1]
      if step then row, column = step.row, step.column end
    else
      row, column = constant_pivot(B, square, rows, columns)
    end
    if not row then return rows, columns, B end
    self.steps[#self.steps + 1], rows, columns = eliminate(B, rows, columns, row, column)
  end
end

-- What is to be solved, as a plan: with no more columns held out than are requested, with as few as may do, or with
-- more; and B of it. nil: the equations ask for more than there is.
function NullSpace:find_plan(J, square, hold)
  local preferred = {}
  for _, q in ipairs(hold.preferred) do preferred[q] = true end
  for _, most in ipairs {math.huge, most_rows_whole, most_rows_of_minors} do
    local columns, held = hold_out(J, upto(#J), upto(self.n), hold.first, preferred, most)
    if columns then
      local rows, left, B = self:eliminate(J, columns, square)
      local blocks = blocks_of(B, rows, left)
      if blocks and all_spanned(blocks) then
        -- least: by row what its square counts as at least, where a number
        return {steps = self.steps, blocks = blocks, held = held, least = {}}, B
      end
    end
  end
end

-- J: by equation the list over n columns; square: by equation that of what its coefficients are compared with; hold:
-- columns to hold out, {first = in any case, preferred = where some must be}; plan: the steps and blocks of an earlier
-- solve of the same equations (on numbers, zeros and constants do not show), nil: they are found. nil where the
-- equations ask for more than there is.
function NullSpace.new(J, square, n, hold, plan)
  local self = setmetatable({n = n, m = #J, J = J, pivots = {}}, NullSpace)
  ag.region("rows: joints whose motion along them is constant, eliminated", "rows")
  local B
  if plan then
    self.plan = plan
    local columns = upto(n)
    for _, q in ipairs(plan.held) do columns = without(columns, q) end
    B = select(3, self:eliminate(J, columns, square, plan))
  else
    self.plan, B = self:find_plan(J, square, hold)
    if not self.plan then return nil end
  end
  ag.region("rows: their equations J qdd = c, made orthogonal", "rows")
  self.blocks = {}
  for k, block in ipairs(self.plan.blocks) do
    local b = {rows = block.rows, columns = block.columns, B = {}}
    self.blocks[k] = b
    for a, r in ipairs(b.rows) do
      b.B[a] = {}
      for i, q in ipairs(b.columns) do
        b.B[a][i] = B[r][q]
        ag.hint({B[r][q]}, {"B" .. r .. "_" .. q})
      end
    end
    -- they depend on each other
    if #b.columns > #b.rows and #self.plan.held > 0 and all_zero(minors(b.B)) then return nil end
    if #b.rows > 0 then
      b.orthogonal = orthogonalize(b.B, plan ~= nil)
      if not b.orthogonal then return nil end
      for a, r in ipairs(b.rows) do
        local least = NullSpace.floor * square[r]
        self.plan.least[r] = scalar.is_number(least) and least or nil -- else along a direction given at run time
        local whole = scalar.limit(scalar.max(b.orthogonal.whole[a], least), least, "least_whole",
          "a row's square counts as no less: " .. NullSpace.floor .. " of the square of its scale")
        self.pivots[#self.pivots + 1] = {block = k, d = b.orthogonal.d[a], whole = whole}
      end
    end
  end
  return self
end

-- The condition that every relative pivot is above `least`, and in every block the product of all, of which the minors
-- live, above a thirtieth of it: not two of them small at once. And the least pivot.
function NullSpace:regular(least)
  local all, d, whole = true, {}, {}
  for _, p in ipairs(self.pivots) do
    scalar.above_share(least, p.whole, p.d, "seam",
      "the null-space solve takes rows whose relative pivots are above this")
    all = scalar.land(all, scalar.lt(least * p.whole, p.d))
    d[p.block], whole[p.block] = (d[p.block] or 1) * p.d, (whole[p.block] or 1) * p.whole
  end
  for k = 1, #self.blocks do
    local product = "and their product above a thirtieth of it: no two are small at once"
    if d[k] then scalar.above_share(least / 30, whole[k], d[k], "seam_of_product", product) end
    if d[k] then all = scalar.land(all, scalar.lt(least / 30 * whole[k], d[k])) end
  end
  return all
end
function NullSpace:least_pivot()
  local least = 1
  for _, p in ipairs(self.pivots) do least = scalar.min(least, scalar.divide(p.d, p.whole)) end
  return least
end

-- The eliminated columns' share of x, by the equations that eliminated them; last first.
function NullSpace:complete(x, c)
  for k = #self.steps, 1, -1 do
    local step = self.steps[k]
    local sum = c and c[step.row] or 0
    for q = 1, self.n do
      if step.rest[q] then sum = sum - step.rest[q] * x[q] end
    end
    x[step.column] = scalar.divide(sum, step.pivot)
    ag.hint({x[step.column]}, {"along" .. step.column})
  end
  return x
end

-- x of J x = c, 0 in the columns that are held out
function NullSpace:particular(c)
  ag.region("rows: accelerations x that satisfy them, J x = c", "rows")
  return self:solve(c)
end
function NullSpace:solve(c)
  c = table.move(c, 1, self.m, 1, {})
  for _, step in ipairs(self.steps) do
    for r, f in pairs(step.factor) do c[r] = c[r] - f * c[step.row] end
  end
  local x = {}
  for _, q in ipairs(self.plan.held) do x[q] = 0 end
  for _, b in ipairs(self.blocks) do
    local part = {}
    for a, r in ipairs(b.rows) do part[a] = c[r] end
    local own = #b.rows > 0 and b.orthogonal.particular(part) or {0}
    for i, q in ipairs(b.columns) do x[q] = own[i] end
  end
  return self:complete(x, c)
end

-- The list of z: of the blocks, then of the columns that are held out
function NullSpace:free()
  ag.region("rows: motions z that they leave free, J z = 0", "free")
  local list = {}
  for _, b in ipairs(self.blocks) do
    if #b.columns > #b.rows then
      local own, z = minors(b.B), {}
      for q = 1, self.n do z[q] = 0 end
      for i, q in ipairs(b.columns) do z[q] = own[i] end
      list[#list + 1] = self:complete(z)
    end
  end
  for _, h in ipairs(self.plan.held) do
    local c = {}
    for r = 1, self.m do c[r] = -self.J[r][h] end
    local z = self:solve(c)
    z[h] = 1
    list[#list + 1] = z
  end
  return list
end

-- lambda of J^T lambda = t; t: by coordinate, no force does work along the other columns
function NullSpace:dual(t)
  ag.region("rows: their forces nu", "nu")
  local lambda, rest, of_step = {}, {}, {}
  for q = 1, self.n do rest[q] = t[q] or 0 end
  for k, step in ipairs(self.steps) do -- of the equations as eliminated
    of_step[k] = scalar.divide(rest[step.column], step.pivot)
    for q = 1, self.n do
      if step.rest[q] then rest[q] = rest[q] - step.rest[q] * of_step[k] end
    end
  end
  for _, b in ipairs(self.blocks) do
    if #b.rows > 0 then
      local part = {}
      for i, q in ipairs(b.columns) do part[i] = rest[q] end
      for a, value in ipairs(b.orthogonal.dual(part)) do lambda[b.rows[a]] = value end
    end
  end
  for k = #self.steps, 1, -1 do -- and of those that were given
    local step, value = self.steps[k], of_step[k]
    for r, f in pairs(step.factor) do value = value - f * lambda[r] end
    lambda[step.row] = value
  end
  return lambda
end

return NullSpace
