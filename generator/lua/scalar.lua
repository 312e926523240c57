-- scalar.lua: what the algorithms need of a scalar beyond + - * /.
--
-- A scalar is a Lua number (a constant, or any value when the scripts run on plain numbers) or a
-- node of the DAG. Conditions are Lua booleans or boolean nodes. Nothing here knows robots.

local S = {}

S.sin, S.cos = ag.sin, ag.cos
S.lt, S.eq = ag.lt, ag.eq
S.land, S.lor, S.lnot = ag.land, ag.lor, ag.lnot
S.select, S.probe = ag.select, ag.probe

function S.abs(x) return S.select(S.lt(x, 0), -x, x) end
function S.max(x, y) return S.select(S.lt(x, y), y, x) end
function S.min(x, y) return S.select(S.lt(y, x), y, x) end

-- x held to [-limit, limit]; a NaN stays a NaN.
function S.clamp(x, limit)
  return S.select(S.lt(limit, x), limit, S.select(S.lt(x, -limit), -limit, x))
end

-- The sum of a list, left to right.
function S.sum(list)
  local total = 0
  for i = 1, #list do total = total + list[i] end
  return total
end

-- Boolean: every scalar of the list is finite. 0 x is 0 for a finite x and NaN otherwise.
function S.all_finite(list)
  local probes = {}
  for i = 1, #list do probes[i] = S.probe(list[i]) end
  return S.eq(S.sum(probes), 0)
end

-- Boolean: one of the conditions holds.
function S.any(list)
  local any = false
  for i = 1, #list do any = S.lor(any, list[i]) end
  return any
end

-- Square root of x in [1, 2], straight-line: the parabola through x = 1, 1.5, 2 (error below 2e-3),
-- then Heron's y <- (y + x / y) / 2, which halves the square of the error: 2e-6, 2e-12, 2e-24.
function S.sqrt_1_2(x)
  local y = 0.44467 + x * (0.62589 - 0.07056 * x)
  for _ = 1, 3 do y = 0.5 * (y + x / y) end
  return y
end

return S
