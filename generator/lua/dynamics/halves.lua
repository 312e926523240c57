-- SPDX-License-Identifier: MIT
-- halves.lua: the system of the six freedoms of a moving base, linear and angular, solved by its halves of three, in
-- the place of factor.lua.
--
--   [W H^T; H J] [v; w] = [f; n]
--   S = J - H W^-1 H^T,  w = S^-1 (n - H W^-1 f),  v = W^-1 (f - H^T w),  A^-1 = adj A / det A
-- Of two divisions one waits for the other, of the six pivots of factors each for the one before; what is multiplied
-- with their results is there first, and W, which the limbs hand over first, is divided by first. It takes more
-- operations: it pays where steps that wait for each other bound the time, as with limbs as lanes
-- (docs/performance.md).

local scalar = require "scalar"
local spatial = require "spatial"

local Halves = {}
Halves.__index = Halves

-- The adjugate and the leading minors of a symmetric matrix xx xy xz yy yz zz; the last one is the determinant.
local function adjugate(A)
  local xx, xy, xz, yy, yz, zz = A[1], A[2], A[3], A[4], A[5], A[6]
  local C = {
    yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy,
    xx * zz - xz * xz, xy * xz - xx * yz,
    xx * yy - xy * xy,
  }
  local full = spatial.matrix {{C[1], C[2], C[3]}, {C[2], C[4], C[5]}, {C[3], C[5], C[6]}}
  return full, {xx, C[6], xx * C[1] + xy * C[2] + xz * C[3]}
end

-- What turns a body's inertia about an axis through its centre of mass is at least this.
local function least_moment(inertia)
  local m, h, I = scalar.value(inertia.m), {}, {}
  if m <= 0 then return 0 end
  for k = 1, 3 do h[k] = scalar.value(inertia.h[k]) end
  for k = 1, 6 do I[k] = scalar.value(inertia.I[k]) end
  local square = h[1] * h[1] + h[2] * h[2] + h[3] * h[3]
  local at = {{1, 1}, {1, 2}, {1, 3}, {2, 2}, {2, 3}, {3, 3}}
  for k, of in ipairs(at) do I[k] = I[k] - ((of[1] == of[2] and square or 0) - h[of[1]] * h[of[2]]) / m end
  local _, minors = adjugate(I)
  local trace = I[1] + I[4] + I[6]
  -- the product of all three by that of the larger two, at most
  return trace > 0 and 4 * minors[3] / (trace * trace) or 0
end

-- Whether determinants of a robot's base stay far from the ends of the range of its reals, whatever its joints do: W
-- and S are no smaller than the base's own, and no larger than those of the robot with all its joints locked, which
-- slide 1e5 m at most.
function Halves.fit(chain, single)
  local own, mass, length, about = chain.bodies[0].whole_inertia, 0, 0, 0
  for i = 0, chain.n do
    local b = chain.bodies[i]
    local I = b.whole_inertia.I
    mass = mass + scalar.value(b.whole_inertia.m)
    about = about + scalar.value(I[1]) + scalar.value(I[4]) + scalar.value(I[6])
    if i > 0 then
      for k = 1, 3 do length = length + math.abs(scalar.value(b.p[k])) end
      if b.prismatic then length = length + 1e5 end
    end
  end
  local least = math.min(scalar.value(own.m), least_moment(own))
  local most = math.max(mass, 2 * (mass * length * length + about))
  local exponent = single and 1 or 8
  return least > 2 ^ (-20 * exponent) and most < 2 ^ (15 * exponent)
end

-- M: lower triangle M[i][j], j <= i. D: minors of W, then of S, all positive where M is positive definite (Sylvester).
function Halves.new(M)
  local self = setmetatable({inv = {}}, Halves)
  ag.region("inward: linear half of the base's inertia", "base_lin")
  local W, of_W = adjugate {M[1][1], M[2][1], M[3][1], M[2][2], M[3][2], M[3][3]}
  local H = spatial.matrix {
    {M[4][1], M[4][2], M[4][3]},
    {M[5][1], M[5][2], M[5][3]},
    {M[6][1], M[6][2], M[6][3]},
  }
  self.W, self.HW = W, H * W -- times det W
  self.inv_W = ag.label(scalar.divide(1, of_W[3]), "iW_base")
  ag.region("inward: angular half of the base's inertia", "base_ang")
  local S = {}
  for i = 1, 3 do
    for j = i, 3 do S[#S + 1] = M[3 + j][3 + i] - scalar.dot(self.HW[i], H[j]) * self.inv_W end
  end
  ag.hint(S, {"S_xx", "S_xy", "S_xz", "S_yy", "S_yz", "S_zz"})
  local of_S
  self.S, of_S = adjugate(S)
  self.inv_S = ag.label(scalar.divide(1, of_S[3]), "iS_base")
  self.D = {of_W[1], of_W[2], of_W[3], of_S[1], of_S[2], of_S[3]}
  return self
end

-- The forces {f, n} as `forward` takes them: as they are.
function Halves:back(x) return x end

-- {v, w}
function Halves:forward(x)
  local f, n = spatial.vector {x[1], x[2], x[3]}, spatial.vector {x[4], x[5], x[6]}
  local rest = n - self.inv_W * (self.HW * f)
  local w = self.inv_S * (self.S * rest)
  local v = self.inv_W * (self.W * f - spatial.mul_transposed(self.HW, w))
  return {v[1], v[2], v[3], w[1], w[2], w[3]}
end

return Halves
