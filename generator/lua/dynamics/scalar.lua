-- SPDX-License-Identifier: MIT
-- scalar.lua: what the algorithms need of a scalar beyond + - * /.
--
-- A scalar is a Lua number (a constant, or any value when the scripts run on plain numbers), a constant
-- that is a double and the exact number it stands for, or a node of the DAG. Conditions are Lua booleans or boolean
-- nodes. Nothing here knows robots.

local scalar = {}

scalar.sin, scalar.cos = ag.sin, ag.cos
scalar.lt, scalar.eq = ag.lt, ag.eq
scalar.land, scalar.lor, scalar.lnot = ag.land, ag.lor, ag.lnot
scalar.select = ag.select

-- What a constant is called that x compares with, and why it is that number: ag.limit(x, value, name, reason).
-- Returns x.
scalar.limit = ag.limit

-- Boolean: share whole < x, share a constant with a name.
function scalar.above_share(share, whole, x, name, reason)
  local least = share * whole
  local above = scalar.lt(least, x)
  if type(above) == "boolean" then return above end
  if scalar.is_number(least) then return scalar.limit(above, least, name, reason) end
  scalar.limit(least, share, name, reason)
  return above
end

-- k x of a constant k with a name.
function scalar.share(k, x, name, reason) return scalar.limit(k * x, k, name, reason) end

-- x, a bound of a row, or made of one, that is `none` where the row has none.
function scalar.no_bound(x, none) return scalar.limit(x, none, "no_bound", "no number: nothing bounds the row") end

function scalar.abs(x) return scalar.select(scalar.lt(x, 0), -x, x) end
function scalar.max(x, y) return scalar.select(scalar.lt(x, y), y, x) end
function scalar.min(x, y) return scalar.select(scalar.lt(y, x), y, x) end

-- Whether x is a constant, the constant 0, the constant 1. Scripts ask here and nowhere else. What is 0 or 1 both
-- rounded and exact is always a Lua number.
function scalar.is_number(x) return type(x) == "number" or ag.is_constant(x) end
function scalar.is_zero(x) return type(x) == "number" and x == 0 end
function scalar.is_one(x) return type(x) == "number" and x == 1 end

-- The double that is printed for a constant; the constant that a number of robot or layout is, of which products
-- are exact.
function scalar.value(x) return type(x) == "number" and x or ag.value(x) end
scalar.exact = ag.exact

-- a / b, which of constants is exact: Lua would round the quotient of two plain numbers, such as 1 / (1 + 1 + 1).
function scalar.divide(a, b)
  if type(b) == "number" then b = ag.exact(b) end
  return a / b
end

-- The sum of a[k] b[k] over the elements of a: the same nodes as by operators, in less time.
scalar.dot = ag.dot

-- The same by operators, over as many elements as both have: of Lua numbers a Lua number.
function scalar.sum_of_products(a, b)
  local sum = 0
  for k = 1, math.min(#a, #b) do sum = sum + a[k] * b[k] end
  return sum
end

function scalar.zeros(n)
  local list = {}
  for k = 1, n do list[k] = 0 end
  return list
end

-- x held to [-limit, limit]; a NaN stays a NaN.
function scalar.clamp(x, limit)
  return scalar.select(scalar.lt(limit, x), limit, scalar.select(scalar.lt(x, -limit), -limit, x))
end

-- Boolean: x is above limit in size.
function scalar.beyond(x, limit) return scalar.lor(scalar.lt(limit, x), scalar.lt(x, -limit)) end

-- Boolean: every scalar of the list is finite.
function scalar.all_finite(list) return scalar.lnot(ag.any_unfinite(list)) end

-- Boolean: nothing that a function is given is huge: the inputs of lists are below 2^exponent in size, sines and
-- cosines below 2.
-- lists: {[exponent] = inputs}; turns: whether there are sines and cosines.
function scalar.moderate(lists, turns)
  local exponents, huge = {}, turns and ag.probe_turns() or false
  for exponent in pairs(lists) do exponents[#exponents + 1] = exponent end
  table.sort(exponents)
  for _, exponent in ipairs(exponents) do
    local probes = {}
    for i, x in ipairs(lists[exponent]) do probes[i] = ag.probe_size(x, exponent) end
    huge = scalar.lor(huge, scalar.any(probes))
  end
  return scalar.lnot(huge)
end

-- Boolean: one of the conditions holds.
function scalar.any(list)
  local any = false
  for i = 1, #list do any = scalar.lor(any, list[i]) end
  return any
end

-- Square root of x in [1, 2], straight-line: the parabola through x = 1, 1.5, 2 (error below 2e-3),
-- then Heron's y <- (y + x / y) / 2, which halves the square of the error: 2e-6, 2e-12, 2e-24.
function scalar.sqrt_1_2(x)
  local y = 0.44467 + x * (0.62589 - 0.07056 * x)
  for _ = 1, 3 do y = 0.5 * (y + x / y) end
  return ag.approximate(y)
end

-- Square root of x >= 0, straight-line; of NaN NaN. y = max(x, 1 / x) is at least 1, and becomes one in [1, 4) by
-- factors 4^-n, in [1, 2] by another 1/2; where x is below 1e-300, in float 1e-37, 0. single: in float.
function scalar.sqrt(x, single)
  if scalar.is_zero(x) then return 0 end
  local least, n = single and 1e-37 or 1e-300, single and 32 or 256
  local none, below = scalar.lt(x, least), scalar.lt(x, 1)
  scalar.limit(none, least, "no_root", "the root of less is 0")
  local y, root = scalar.select(below, 1 / scalar.select(none, 1, x), x), 1
  while n >= 1 do
    local large = scalar.lt(y, 4 ^ n)
    y, root = scalar.select(large, y, 4 ^ -n * y), scalar.select(large, root, 2 ^ n * root)
    n = n // 2
  end
  local low = scalar.lt(y, 2)
  root = root * scalar.sqrt_1_2(scalar.select(low, y, 0.5 * y))
  root = scalar.select(low, root, scalar.share(math.sqrt(2), root, "root_2", "the root of 2"))
  return ag.root(scalar.select(none, 0, scalar.select(below, 1 / root, root)), x)
end

return scalar
