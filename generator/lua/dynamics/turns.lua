-- SPDX-License-Identifier: MIT
-- turns.lua: turns by a vector, and by an angle, that are computed: rotations of a step, without sines of the inputs.
--
-- With y = x^2 of an angle x,
--   V = 1 - cos x = y/2 - y^2/24 + ...,   S = sin x / x = 1 - y/6 + ...
-- of y / 4^5, for which nine terms are exact to the last digit up to x = 1, then doubled five times:
--   V(2x) = 2 V(x) (2 - V(x)),   S(2x) = S(x) cos x
-- neither of which makes relative errors larger. So angles up to 32 are exact.

local scalar = require "scalar"
local spatial = require "spatial"

local turns = {}

local doublings, terms = 5, 9
turns.largest = 2 ^ doublings

-- 1 - cos x and sin x / x, for y = x^2.
function turns.series(y)
  local z = scalar.divide(1, 4 ^ doublings) * y
  local V, S = 1, 1
  for k = terms, 1, -1 do
    S = 1 - scalar.divide(1, 2 * k * (2 * k + 1)) * z * S
    V = 1 - scalar.divide(1, (2 * k + 1) * (2 * k + 2)) * z * V
  end
  V = 0.5 * z * V
  for _ = 1, doublings do
    S, V = S - S * V, 2 * V * (2 - V)
  end
  return V, S
end

-- A = (1 - cos x) / x^2 and B = (x - sin x) / x^3, for y = x^2: of y / 4^6 by as many terms, then doubled six times:
--   S(x) = sin x / x = 1 - y B(x),   A(2x) = S(x)^2 / 2,   B(2x) = (B(x) + A(x) S(x)) / 4
function turns.by_vector(y)
  local z = scalar.divide(1, 4 ^ (doublings + 1)) * y
  local A, B = 1, 1
  for k = terms, 1, -1 do
    A = 1 - scalar.divide(1, (2 * k + 1) * (2 * k + 2)) * z * A
    B = 1 - scalar.divide(1, (2 * k + 2) * (2 * k + 3)) * z * B
  end
  A, B = 0.5 * A, scalar.divide(1, 6) * B
  for _ = 0, doublings do
    local S = 1 - z * B
    A, B, z = 0.5 * S * S, 0.25 * (B + A * S), 4 * z
  end
  return A, B
end

-- Cosine and sine of c, s turned further by the angle x.
function turns.further(c, s, x)
  local V, S = turns.series(x * x)
  local sine = S * x
  return c - (c * V + s * sine), s - (s * V - c * sine)
end

-- The quaternion {w, x, y, z} of the turn by the vector a, and the square of half its angle.
function turns.quaternion(a)
  local half = 0.5 * a
  local y = spatial.dot(half, half)
  local V, S = turns.series(y)
  return {1 - V, S * half[1], S * half[2], S * half[3]}, y
end

-- a b: the turn b, then a.
function turns.product(a, b)
  return {
    a[1] * b[1] - a[2] * b[2] - a[3] * b[3] - a[4] * b[4], a[1] * b[2] + a[2] * b[1] + a[3] * b[4] - a[4] * b[3],
    a[1] * b[3] - a[2] * b[4] + a[3] * b[1] + a[4] * b[2], a[1] * b[4] + a[2] * b[3] - a[3] * b[2] + a[4] * b[1],
  }
end

-- A quaternion whose norm is 1 within 1e-6, with norm 1: q / |q|, by Newton's steps r <- r (3 - r^2 |q|^2) / 2 from 1.
function turns.normalised(q)
  local norm2 = q[1] * q[1] + q[2] * q[2] + q[3] * q[3] + q[4] * q[4]
  local r = 1.5 - 0.5 * norm2
  r = r * (1.5 - 0.5 * norm2 * (r * r))
  return {r * q[1], r * q[2], r * q[3], r * q[4]}
end

return turns
