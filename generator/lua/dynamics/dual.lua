-- SPDX-License-Identifier: MIT
-- dual.lua: scalars with a rate: x + x' e, e^2 = 0. A script that is called with them computes how its results change
-- as well; without them it is as it was. A rate of zero is none.
-- Source: Griewank, Walther, Evaluating Derivatives, 2008, chapter 3 (forward mode).

local scalar = require "scalar"

local Dual, meta = {}, {}

function Dual.of(value, rate)
  if scalar.is_zero(rate) then return value end
  return setmetatable({value = value, rate = rate}, meta)
end

-- Value and rate of any scalar.
local function parts(x)
  if type(x) == "table" then return x.value, x.rate end
  return x, 0
end

function Dual.rate(x) return select(2, parts(x)) end

local function product(a, b) return scalar.is_zero(a) and 0 or scalar.is_zero(b) and 0 or a * b end

function meta.__add(a, b)
  local x, dx = parts(a)
  local y, dy = parts(b)
  return Dual.of(x + y, dx + dy)
end

function meta.__sub(a, b)
  local x, dx = parts(a)
  local y, dy = parts(b)
  return Dual.of(x - y, dx - dy)
end

function meta.__unm(a) return Dual.of(-a.value, -a.rate) end

-- (x y)' = x' y + x y'; b may be a vector (spatial.lua).
function meta.__mul(a, b)
  local of = type(b) == "table" and getmetatable(b)
  if of and of ~= meta then return of.__mul(a, b) end
  local x, dx = parts(a)
  local y, dy = parts(b)
  return Dual.of(x * y, product(dx, y) + product(x, dy))
end

-- (x / y)' = (x' - (x / y) y') / y
function meta.__div(a, b)
  local x, dx = parts(a)
  local y, dy = parts(b)
  local quotient = x / y
  return Dual.of(quotient, (dx - product(quotient, dy)) / y)
end

return Dual
