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
      for k = j, 1, -1 do rest[j][k] = rest[j][k] - l * rest[i][k] end
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

-- How many products A x takes, of matrices with zeros and ones.
local function products(A, x)
  local count = 0
  for i = 1, #A do
    for k = 1, #A[i] do
      if not (scalar.is_zero(A[i][k]) or scalar.is_one(A[i][k]) or scalar.is_zero(x[k])) then count = count + 1 end
    end
  end
  return count
end

-- Which elements of L^-T x are not zero, as 0 and 1, and how many products it takes with the division by D.
function Factor:reach(x)
  local reached, count = {}, 0
  for i = 1, self.n do reached[i] = scalar.is_zero(x[i]) and 0 or 1 end
  for i = self.n, 1, -1 do
    for j = 1, reached[i] == 1 and i - 1 or 0 do
      if not scalar.is_zero(self.L[i][j]) then reached[j], count = 1, count + 1 end
    end
    count = count + reached[i]
  end
  return reached, count
end

-- H^-1 X, with what inverse gives: by column with H^-1, or as N D^-1 (L^-T x) where that takes a tenth fewer products. What
-- changes in one branch of a tree stays there up to the last step, in which a row of N meets it only where the two have
-- joints in common.
function Factor:solve_columns(inverse, N, X)
  local rows, columns, result = {}, {}, {}
  for c = 1, #X[1] do
    local x = {}
    for i = 1, self.n do x[i] = X[i][c] end
    local reached, count = self:reach(x)
    rows[c], columns[c] = inverse, x
    if 10 * (count + products(N, reached)) < 9 * products(inverse, x) then
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

return Factor
