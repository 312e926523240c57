-- SPDX-License-Identifier: MIT
-- spatial.lua: vectors, rotations and inertias over scalars.
--
-- Vectors are {x, y, z}. Symmetric tensors are {xx, xy, xz, yy, yz, zz}. General 3 x 3 matrices are
-- rows {{xx, xy, xz}, {yx, yy, yz}, {zx, zy, zz}}; a rotation R of frame {C} in {P} maps components in
-- {C} to components in {P}. A wrench is {f, n}: force, and moment about the frame's origin. An inertia
-- about a frame's origin is {m, h, I}: mass, first moment m c, rotational inertia (the tensor about the
-- ORIGIN).

local scalar = require "scalar"

local spatial = {}

-- Operators of vectors and matrices: a + b, a - b, -a, k * v, R * v, A * B, of which one operand at least is made here.
local Vector = {}

local function vector(v) return setmetatable(v, Vector) end
spatial.vector = vector

-- A general matrix, of its rows.
function spatial.matrix(rows)
  for i = 1, 3 do vector(rows[i]) end
  return vector(rows)
end
local matrix = spatial.matrix

spatial.zero = vector {0, 0, 0}
spatial.identity = matrix {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}

function spatial.dot(a, b) return a[1] * b[1] + a[2] * b[2] + a[3] * b[3] end
function spatial.cross(a, b)
  return vector {a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1]}
end
-- [a], a x b = [a] b
function spatial.cross_matrix(a) return matrix {{0, -a[3], a[2]}, {a[3], 0, -a[1]}, {-a[2], a[1], 0}} end
-- a x z
function spatial.cross_z(a) return vector {a[2], -a[1], 0} end
function spatial.is_zero(a) return scalar.is_zero(a[1]) and scalar.is_zero(a[2]) and scalar.is_zero(a[3]) end
local dot = spatial.dot

function spatial.column(R, k) return vector {R[1][k], R[2][k], R[3][k]} end
local column = spatial.column
function spatial.transpose(R) return matrix {column(R, 1), column(R, 2), column(R, 3)} end
-- R^T v
function spatial.mul_transposed(R, v)
  return vector {dot(column(R, 1), v), dot(column(R, 2), v), dot(column(R, 3), v)}
end

function Vector.__add(a, b) return vector {a[1] + b[1], a[2] + b[2], a[3] + b[3]} end
function Vector.__sub(a, b) return vector {a[1] - b[1], a[2] - b[2], a[3] - b[3]} end
function Vector.__unm(a) return vector {-a[1], -a[2], -a[3]} end

-- A scalar with its rate (dual.lua) is no row.
local function is_matrix(x) return type(x) == "table" and type(x[1]) == "table" and not x[1].rate end

-- k v, R v or A B
function Vector.__mul(a, b)
  if not is_matrix(a) then return vector {a * b[1], a * b[2], a * b[3]} end
  if not is_matrix(b) then return vector {dot(a[1], b), dot(a[2], b), dot(a[3], b)} end
  local C = {}
  for i = 1, 3 do
    C[i] = {}
    for j = 1, 3 do C[i][j] = dot(a[i], column(b, j)) end
  end
  return matrix(C)
end

-- Rotations about one axis by an angle with cosine c and sine s, acting on vectors:
-- Rz v and Rx v; the inverse has -s.
function spatial.rz(c, s, v) return vector {c * v[1] - s * v[2], s * v[1] + c * v[2], v[3]} end
function spatial.rx(c, s, v) return vector {v[1], c * v[2] - s * v[3], s * v[2] + c * v[3]} end

-- Rz J Rz^T of a symmetric J with 3 multiplications for the upper left block:
--   t = s (xx - yy) + 2 c xy,  xx' = xx - s t,  yy' = yy + s t,  xy' = c t - xy
function spatial.rz_symmetric(c, s, J)
  local xx, xy, xz, yy, yz, zz = J[1], J[2], J[3], J[4], J[5], J[6]
  if scalar.is_zero(s) then return {xx, xy, c * xz, yy, c * yz, zz} end
  if scalar.is_zero(c) then return {yy, -xy, -s * yz, xx, s * xz, zz} end
  local t = s * (xx - yy) + (2 * c) * xy
  local st = s * t
  return {xx - st, c * t - xy, c * xz - s * yz, yy + st, s * xz + c * yz, zz}
end

-- The tensors whose axes are turned: x y z -> y z x. Rx is Rz on turned axes.
local function turn(J) return {J[4], J[5], J[2], J[6], J[3], J[1]} end
local function turn_back(J) return {J[6], J[3], J[5], J[1], J[2], J[4]} end
function spatial.rx_symmetric(c, s, J) return turn_back(spatial.rz_symmetric(c, s, turn(J))) end

-- Rz H Rz^T of a general H (the antisymmetric part of the upper left block does not change).
function spatial.rz_general(c, s, H)
  local a, b, k, d = H[1][1], H[1][2], H[2][1], H[2][2]
  local t = s * (a - d) + c * (b + k)
  local st, ct = s * t, c * t
  if scalar.is_zero(s) then st, ct = 0, b + k end
  if scalar.is_zero(c) then st, ct = a - d, 0 end
  return matrix {
    {a - st, ct - k, c * H[1][3] - s * H[2][3]},
    {ct - b, d + st, s * H[1][3] + c * H[2][3]},
    {c * H[3][1] - s * H[3][2], s * H[3][1] + c * H[3][2], H[3][3]},
  }
end

local function turn_general(H)
  local of = {2, 3, 1}
  local T = {}
  for i = 1, 3 do T[i] = {H[of[i]][of[1]], H[of[i]][of[2]], H[of[i]][of[3]]} end
  return matrix(T)
end
local function turn_general_back(H)
  local of = {3, 1, 2}
  local T = {}
  for i = 1, 3 do T[i] = {H[of[i]][of[1]], H[of[i]][of[2]], H[of[i]][of[3]]} end
  return matrix(T)
end
function spatial.rx_general(c, s, H) return turn_general_back(spatial.rz_general(c, s, turn_general(H))) end

function spatial.symmetric_mul(J, v)
  return vector {
    J[1] * v[1] + J[2] * v[2] + J[3] * v[3],
    J[2] * v[1] + J[4] * v[2] + J[5] * v[3],
    J[3] * v[1] + J[5] * v[2] + J[6] * v[3],
  }
end

-- A general symmetric tensor under a general rotation: R J R^T.
function spatial.rotate_symmetric(R, J)
  local F = matrix {{J[1], J[2], J[3]}, {J[2], J[4], J[5]}, {J[3], J[5], J[6]}}
  local G = R * F * spatial.transpose(R)
  return {G[1][1], G[1][2], G[1][3], G[2][2], G[2][3], G[3][3]}
end

-- The parallel axis theorem for an inertia {m, h, I} whose origin lies at p of the new one, same axes:
--   h' = h + m p,  I' = I + 2 (h . p) 1 - h p^T - p h^T + m ((p . p) 1 - p p^T)
function spatial.shift_inertia(inertia, p)
  local m, h, I = inertia.m, inertia.h, inertia.I
  local x, y, z = p[1], p[2], p[3]
  -- with e = h + m p / 2 the rotational part is 2 (e . p) 1 - e p^T - p e^T
  local e = h
  if not scalar.is_zero(m) then e = h + m * vector {0.5 * x, 0.5 * y, 0.5 * z} end
  local ex, ey, ez = (2 * x) * e[1], (2 * y) * e[2], (2 * z) * e[3]
  return {
    m = m,
    h = h + m * p,
    I = {
      I[1] + (ey + ez), I[2] - (e[1] * y + e[2] * x), I[3] - (e[1] * z + e[3] * x),
      I[4] + (ex + ez), I[5] - (e[2] * z + e[3] * y), I[6] + (ex + ey),
    },
  }
end

-- The second moments of mass, Sigma = int r r^T dm = tr(I)/2 1 - I. Where a rotational inertia has none
-- along z, I_zz = I_xx + I_yy to the bit.
function spatial.second_moments(I)
  if scalar.is_number(I[6]) and scalar.is_number(I[1]) and scalar.is_number(I[4]) and
      scalar.is_zero(I[1] + I[4] - I[6]) then
    return {I[4], -I[2], -I[3], I[1], -I[5], 0}
  end
  return {
    0.5 * (I[4] + I[6] - I[1]), -I[2], -I[3], 0.5 * (I[1] + I[6] - I[4]), -I[5], 0.5 * (I[1] + I[4] - I[6]),
  }
end

-- Second moments about a new origin, from which the old one lies at p:
--   Sigma' = Sigma + h p^T + p h^T + m p p^T = Sigma + e p^T + p e^T, e = h + m p / 2
function spatial.shift_second_moments(m, h, Sigma, p)
  local e = h
  if not scalar.is_zero(m) then e = h + m * vector {0.5 * p[1], 0.5 * p[2], 0.5 * p[3]} end
  return {
    Sigma[1] + 2 * p[1] * e[1], Sigma[2] + (e[1] * p[2] + e[2] * p[1]), Sigma[3] + (e[1] * p[3] + e[3] * p[1]),
    Sigma[4] + 2 * p[2] * e[2], Sigma[5] + (e[2] * p[3] + e[3] * p[2]), Sigma[6] + 2 * p[3] * e[3],
  }
end

-- The inertia {m, h, I} about an origin from which the centre of mass lies at c, of mass m and inertia I_c about c:
--   h = m c,  I = I_c + m ((c . c) 1 - c c^T)
function spatial.about_origin(m, c, I)
  local h = m * vector(c)
  return {
    m = m, h = h,
    I = {
      I[1] + (h[2] * c[2] + h[3] * c[3]), I[2] - h[1] * c[2], I[3] - h[1] * c[3],
      I[4] + (h[1] * c[1] + h[3] * c[3]), I[5] - h[2] * c[3], I[6] + (h[1] * c[1] + h[2] * c[2]),
    },
  }
end

function spatial.add_inertia(a, b)
  local I = {}
  for k = 1, 6 do I[k] = a.I[k] + b.I[k] end
  return {m = a.m + b.m, h = a.h + b.h, I = I}
end

-- An inertia given in {C}, in {P}: pose = {p, R} of {C} in {P}.
function spatial.inertia_to(pose, inertia)
  return spatial.shift_inertia(
    {m = inertia.m, h = pose.R * inertia.h, I = spatial.rotate_symmetric(pose.R, inertia.I)}, pose.p)
end

-- Poses {p, R}: {C} in {P} after {D} in {C}, and the inverse.
function spatial.pose_mul(a, b)
  return {p = a.p + a.R * b.p, R = a.R * b.R}
end
function spatial.pose_inverse(a)
  local Rt = spatial.transpose(a.R)
  return {p = -(Rt * a.p), R = Rt}
end

return spatial
