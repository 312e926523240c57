-- halves.lua: the system of the six freedoms of a moving base, linear and angular, solved by its halves of three, in the
-- place of factor.lua.
--
--   [W H^T; H J] [v; w] = [f; n]
--   S = J - H W^-1 H^T,  w = S^-1 (n - H W^-1 f),  v = W^-1 (f - H^T w),  A^-1 = adj A / det A
-- Of two divisions one waits for the other, of the six pivots of factors each for the one before; what is multiplied with
-- their results is there first, and W, which the limbs hand over first, is divided by first. It takes more operations: it
-- pays where steps that wait for each other bound the time, as with limbs as lanes (docs/performance.md).

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
  local full = {{C[1], C[2], C[3]}, {C[2], C[4], C[5]}, {C[3], C[5], C[6]}}
  return full, {xx, C[6], xx * C[1] + xy * C[2] + xz * C[3]}
end

-- M: lower triangle M[i][j], j <= i. D: minors of W, then of S, all positive where M is positive definite (Sylvester).
function Halves.new(M)
  local self = setmetatable({inv = {}}, Halves)
  ag.region("inward: linear half of the base's inertia", "base_lin")
  local W, of_W = adjugate {M[1][1], M[2][1], M[3][1], M[2][2], M[3][2], M[3][3]}
  local H = {}
  for i = 1, 3 do H[i] = {M[3 + i][1], M[3 + i][2], M[3 + i][3]} end
  self.W, self.HW = W, spatial.matmul(H, W) -- times det W
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
  local f, n = {x[1], x[2], x[3]}, {x[4], x[5], x[6]}
  local rest = spatial.sub(n, spatial.scale(self.inv_W, spatial.mul(self.HW, f)))
  local w = spatial.scale(self.inv_S, spatial.mul(self.S, rest))
  local v = spatial.scale(self.inv_W, spatial.sub(spatial.mul(self.W, f), spatial.mul_transposed(self.HW, w)))
  return {v[1], v[2], v[3], w[1], w[2], w[3]}
end

return Halves
