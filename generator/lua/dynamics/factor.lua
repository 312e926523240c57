-- SPDX-License-Identifier: MIT
-- factor.lua: the factors H = L^T D L of a symmetric positive matrix (L unit lower triangular), taken from the
-- last row to the first. Elements that are zero between branches stay so.
--
-- Source: Featherstone, Rigid Body Dynamics Algorithms, 6.5 (LTDL).

local scalar = require "scalar"

local Factor = {}
Factor.__index = Factor

-- H: lower triangle H[i][j], j <= i. names: of the rows, {name for comments, id, label}.
function Factor.new(H, names)
  local self = setmetatable({n = #H, D = {}, inv = {}, L = {}}, Factor)
  local rest = {}
  for i = 1, self.n do rest[i] = table.move(H[i], 1, i, 1, {}) end
  for i = self.n, 1, -1 do
    ag.region("inward: L^T D L, " .. names[i].name, names[i].id)
    self.D[i] = ag.label(rest[i][i], "D" .. names[i].label)
    self.inv[i] = ag.label(scalar.divide(1, rest[i][i]), "iD" .. names[i].label)
    self.L[i] = {}
    for j = i - 1, 1, -1 do
      local l = rest[i][j] * self.inv[i]
      self.L[i][j] = l
      ag.hint({l}, {"L" .. names[j].label})
      for k = j, 1, -1 do
        rest[j][k] = rest[j][k] - l * rest[i][k]
        if k < j then
          ag.hint({rest[j][k]}, {"H" .. names[j].label .. "_" .. names[k].label .. "_less" .. names[i].label})
        end
      end
    end
  end
  return self
end

-- L^-T x
function Factor:back(x)
  local y = table.move(x, 1, self.n, 1, {})
  for i = self.n, 1, -1 do
    for j = i - 1, 1, -1 do y[j] = y[j] - self.L[i][j] * y[i] end
  end
  return y
end

-- L^-1 D^-1 x
function Factor:forward(x)
  local y = {}
  for i = 1, self.n do
    y[i] = x[i] * self.inv[i]
    for j = i - 1, 1, -1 do y[i] = y[i] - self.L[i][j] * y[j] end
  end
  return y
end

-- H^-1 = N D^-1 N^T with N = L^-1, as a full matrix; and N, which has the zeros of L.
function Factor:inverse()
  local N, scaled, inverse = {}, {}, {}
  for i = 1, self.n do
    N[i], scaled[i], inverse[i] = {}, {}, {}
    for k = 1, i do
      local x = i == k and 1 or 0
      for j = k, i - 1 do x = x - self.L[i][j] * N[j][k] end
      N[i][k], scaled[i][k] = x, x * self.inv[k]
    end
    for j = 1, i do
      local x = scalar.dot(N[j], scaled[i])
      inverse[i][j], inverse[j][i] = x, x
    end
  end
  return inverse, N
end

-- By column of a matrix with zeros and ones, how many of its elements take a product.
local function products_by_column(A)
  local count = {}
  for i = 1, #A do
    for k, x in ipairs(A[i]) do
      count[k] = (count[k] or 0) + ((scalar.is_zero(x) or scalar.is_one(x)) and 0 or 1)
    end
  end
  return count
end

-- How many products A x takes; zero: of x, a test of an element.
local function products(by_column, zero)
  local count = 0
  for k, products_there in ipairs(by_column) do
    if not zero(k) then count = count + products_there end
  end
  return count
end

-- By row, in which columns L has elements that are not zero.
function Factor:columns()
  local columns = {}
  for i = 1, self.n do
    columns[i] = {}
    for j = i - 1, 1, -1 do
      if not scalar.is_zero(self.L[i][j]) then table.insert(columns[i], j) end
    end
  end
  return columns
end

-- Which elements of L^-T x are not zero, by index, and how many products it takes with the division by D.
function Factor:reach(x, columns)
  local reached, count = {}, 0
  for i = 1, self.n do reached[i] = not scalar.is_zero(x[i]) end
  for i = self.n, 1, -1 do
    if reached[i] then
      for _, j in ipairs(columns[i]) do reached[j] = true end
      count = count + #columns[i] + 1
    end
  end
  return reached, count
end

-- H^-1 X, with what inverse gives: by column with H^-1, or as N D^-1 (L^-T x) where that takes a tenth fewer products.
-- What changes in one branch of a tree stays there up to the last step, in which a row of N meets it only where the two
-- have joints in common.
function Factor:solve_columns(inverse, N, X)
  local rows, columns, result = {}, {}, {}
  local of_L, of_inverse, of_N = self:columns(), products_by_column(inverse), products_by_column(N)
  for c = 1, #X[1] do
    local x = {}
    for i = 1, self.n do x[i] = X[i][c] end
    local reached, count = self:reach(x, of_L)
    rows[c], columns[c] = inverse, x
    local by_parts = count + products(of_N, function(k) return not reached[k] end)
    if 10 * by_parts < 9 * products(of_inverse, function(k) return scalar.is_zero(x[k]) end) then
      local z = self:back(x)
      for i = 1, self.n do z[i] = z[i] * self.inv[i] end
      rows[c], columns[c] = N, z
    end
  end
  for i = 1, self.n do
    result[i] = {}
    for c, column in ipairs(columns) do result[i][c] = scalar.dot(rows[c][i], column) end
  end
  return result
end

-- Of factors that are known.
function Factor.given(L, inv) return setmetatable({n = #L, L = L, inv = inv}, Factor) end

return Factor
