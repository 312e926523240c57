-- SPDX-License-Identifier: MIT
-- bound_turns.lua: errors of sums, products and turns of vectors, in units of rounding u: what bound_left.lua follows a
-- motion with.
--
-- Errors are followed by vectors: e.w bounds the Euclidean length of the error of w, in units of u. A rotation keeps
-- lengths, so a chain of joints adds errors up and does not let them grow, which bounds by components would.

local scalar = require "scalar"
local spatial = require "spatial"

local Bound = {}
Bound.__index = Bound

-- Errors of one rotation of a vector, in u times the length of the part that it turns: two products, |c| + |s|, and a
-- sum for each component, at most 1 + sqrt 2 (turn_error); and the sine and cosine themselves, each off by u at most,
-- sqrt 2 (below one ulp, and ulps of numbers up to 1 are u at most; of float, below 2^-24: sincos.h), or 1 where they
-- are constants. Of a product with a rotation as a matrix: three products, sqrt 3, and two sums, of which none is
-- longer than the vector.
local turn_error, spin_error, matrix_error = 2.415, 3.84, 3.74
-- Of a rotation from a quaternion (moving_base.lua): s is off by 5 u and |R - 1| <= 2; the products with it, a sum in
-- the diagonal and one in each element: 2 and 1 times the Frobenius norms of what they add, at most 3.42, 2.83 and sqrt
-- 3.
local quaternion_error = 22

local function length(v) return math.sqrt(scalar.value(v[1] * v[1] + v[2] * v[2] + v[3] * v[3])) end

-- At least the length of a vector of up to three components, a tenth more on average: for a >= b >= c >= 0
-- a + (sqrt 2 - 1) (b + c), which is right for (1, 0, 0) and (1, 1, 0).
local function size(v)
  local sum, most, n = 0, 0, 0
  for k = 1, #v do
    if not scalar.is_zero(v[k]) then
      local a = scalar.abs(v[k])
      sum, most, n = sum + a, n == 0 and a or scalar.max(most, a), n + 1
    end
  end
  return n < 2 and sum or 0.41422 * sum + 0.58579 * most
end

-- The same, 4 thousandths more: after a step of Heron's for the square root, which is never below it. What is lost
-- where squares are below the smallest number is less than half of `tiny`, of floats too.
local tiny = 2e-19
local function norm(v)
  local near, squares, n = size(v), 0, 0
  for k = 1, #v do
    if not scalar.is_zero(v[k]) then squares, n = squares + v[k] * v[k], n + 1 end
  end
  return n < 2 and near or 0.5 * (near + scalar.divide(squares, near + tiny)) + tiny
end
-- The same of the part across z.
local function across(v) return size {v[1], v[2]} end

local function right_angle(c, s) return scalar.is_zero(c) or scalar.is_zero(s) end

-- Of a turn by a constant angle.
local function constant_error(c, s)
  if right_angle(c, s) then return 0 end
  return math.abs(scalar.value(c)) + math.abs(scalar.value(s)) + 2
end

-- What turning a vector from a body's axes to its parent's, or back, adds to its error: per unit of its part across the
-- joint's axis, and per unit of its length.
local function turning(b)
  -- c and s of a constant angle and the joint's are products and sums themselves
  local spin = (b.prismatic and 0 or spin_error) + constant_error(b.ct, b.st)
  return spin, constant_error(b.ca, b.sa) + constant_error(b.cg, b.sg)
end

-- Of state's robot. turned[i]: what turning a vector from the base's axes (moving base: the world's) to body i's adds.
function Bound.new(state)
  local self = setmetatable({state = state, robot = state.robot, spin = {}, fixed = {}, turned = {}}, Bound)
  local base = state.base
  self.base_error = not base and 0 or (base.quat and quaternion_error or base.yaw and spin_error or 0) + matrix_error
  self.turned[0] = self.base_error
  for i, b in ipairs(self.robot.bodies) do
    self.spin[i], self.fixed[i] = turning(b)
    local ratio = state.chain.ratio[i]
    if not scalar.is_one(ratio) and not b.prismatic then self.spin[i] = self.spin[i] + 2 * scalar.abs(b.q) end
    -- by products of rotations (State:to_body by poses) each turns two columns: products and sums are off by sqrt 2
    -- times as much
    self.turned[i] = self.turned[b.parent] + (state.poses and 1.3 or 1) * (self.spin[i] + self.fixed[i])
  end
  if state.poses then
    for i = 1, self.robot.n do self.turned[i] = self.turned[i] + matrix_error end
  end
  return self
end

-- Errors of products and sums where the two components v of a vector are turned to c v1 + s v2, c v2 - s v1, or the
-- other way (s of the other sign), and angle times their length, of c and s.
local function turned_pair(c, s, v, angle)
  local function along(p, q)
    if scalar.is_zero(p) or scalar.is_zero(q) then return scalar.abs(p + q) end
    return scalar.abs(p) + scalar.abs(q) + scalar.abs(p + q)
  end
  return size {along(c * v[1], s * v[2]), along(c * v[2], -(s * v[1]))} + angle * size(v)
end

-- What turning v about the axis of joint i adds to its error, with s the joint's sine or, the other way, less that.
function Bound:spun(i, s, v)
  local b, spin = self.robot.bodies[i], self.spin[i]
  if scalar.is_zero(spin) then return 0 end
  return turned_pair(b.c, s, {v[1], v[2]}, spin - turn_error)
end
-- Of a turn by a constant angle.
local function fixed_pair(c, s, p, q) return right_angle(c, s) and 0 or turned_pair(c, s, {p, q}, 1) end
-- Of the way of v from the parent to body i, and of the twist (motion.twist) on the way back.
function Bound:turned_outward(i, v)
  local b = self.robot.bodies[i]
  local e, there = fixed_pair(b.cg, b.sg, v[1], v[2]), spatial.rz(b.cg, -b.sg, v)
  e = e + fixed_pair(b.ca, b.sa, there[2], there[3])
  there = spatial.rx(b.ca, -b.sa, there)
  return e + self:spun(i, b.s, there)
end
local function twisted(b, v)
  local e, there = fixed_pair(b.ca, -b.sa, v[2], v[3]), spatial.rx(b.ca, b.sa, v)
  return e + fixed_pair(b.cg, -b.sg, there[1], there[2])
end

-- Of p x f of constants p (slides: p[3] is a sum), and of its sum with n.
local function moment_error(p, f, n, slides)
  local own, cross, list = {2, 2, slides and 3 or 2}, spatial.cross(p, f), {}
  for k = 1, 3 do
    local i, j = k % 3 + 1, (k + 1) % 3 + 1
    local x, y = p[i] * f[j], p[j] * f[i]
    list[k] = own[i] * scalar.abs(x) + own[j] * scalar.abs(y)
    if not scalar.is_zero(x) and not scalar.is_zero(y) then list[k] = list[k] + scalar.abs(cross[k]) end
    if not scalar.is_zero(cross[k]) then list[k] = list[k] + scalar.abs(n[k] + cross[k]) end
  end
  return size(list)
end

-- The error of a sum of products, from left to right, of which each has a constant: {number, its error, constant}.
-- Constant and product are rounded, and each sum; e: of what else is in the sum `before`.
local function products_error(list, before)
  local e, sum, first = 0, before or 0, not before
  for _, x in ipairs(list) do
    if not scalar.is_zero(x[3]) and not scalar.is_zero(x[1]) then
      e = e + math.abs(scalar.value(x[3])) * (x[2] + 2 * scalar.abs(x[1]))
      sum = sum + x[1] * x[3]
      if not first then e = e + scalar.abs(sum) end
      first = false
    end
  end
  return e
end

Bound.length, Bound.size, Bound.norm, Bound.across = length, size, norm, across
Bound.twisted, Bound.moment_error, Bound.products_error = twisted, moment_error, products_error
Bound.matrix_error = matrix_error

return Bound
