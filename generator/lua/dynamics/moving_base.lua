-- SPDX-License-Identifier: MIT
-- moving_base.lua: a moving base: its pose and twist in, its acceleration and what it lacks of forces out.
--
-- Outside, its vectors are along the axes of the world, at the origin of the base link; inside (motion.lua) they
-- are coordinates along its own axes. A planar base moves along x and y and turns about z, the same in both.

local scalar = require "scalar"
local spatial = require "spatial"
local motion = require "motion"

local Base = {}
Base.__index = Base

-- R of a quaternion w x y z of any norm:
--   R = 1 + s (w [v]x + [v]x [v]x), v = x y z, s = 2 / |quaternion|^2
local function rotation_of(quat)
  local w, x, y, z = quat[1], quat[2], quat[3], quat[4]
  local norm2 = w * w + x * x + y * y + z * z
  local s = scalar.divide(2, norm2)
  local sx, sy, sz = s * x, s * y, s * z
  local xx, yy, zz = x * sx, y * sy, z * sz
  local xy, xz, yz, wx, wy, wz = x * sy, x * sz, y * sz, w * sx, w * sy, w * sz
  return spatial.matrix {
    {1 - (yy + zz), xy - wz, xz + wy},
    {xy + wz, 1 - (xx + zz), yz - wx},
    {xz - wy, yz + wx, 1 - (xx + yy)},
  }, norm2
end

-- given: what of it comes in (inputs.lua): {yaw}, {R} or {quat}; twist; acc.
function Base.new(nb, given)
  return setmetatable({
    nb = nb, yaw = given.yaw, R = given.R, quat = given.quat, twist = given.twist, acc = given.acc,
    twist_r = given.twist_r, acc_r = given.acc_r,
  }, Base)
end

-- {R, w, v}: the rotation, and the twist along its own axes, as motion.robot takes them.
function Base:motion()
  if self.yaw then
    local c, s = ag.label(scalar.cos(self.yaw), "c_base"), ag.label(scalar.sin(self.yaw), "s_base")
    self.R = spatial.matrix {{c, -s, 0}, {s, c, 0}, {0, 0, 1}}
  elseif self.quat then
    ag.region("rotation of the base", "base")
    self.R, self.norm2 = rotation_of(self.quat)
  end
  local t = self.twist and motion.base_motion(self.nb, self:inward(self.twist)) or {w = spatial.zero, v = spatial.zero}
  return {R = self.R, w = t.w, v = t.v}
end

-- Six (planar: three) numbers along the axes of the world, along the base's own, and back.
local function turned(nb, x, turn)
  if nb == 3 then
    local v = turn(spatial.vector {x[1], x[2], 0})
    return {v[1], v[2], x[3]}
  end
  local lin, ang = turn(spatial.vector {x[1], x[2], x[3]}), turn(spatial.vector {x[4], x[5], x[6]})
  return {lin[1], lin[2], lin[3], ang[1], ang[2], ang[3]}
end
function Base:inward(x)
  return turned(self.nb, x, function(v) return spatial.mul_transposed(self.R, v) end)
end
function Base:outward(x)
  return turned(self.nb, x, function(v) return self.R * v end)
end

-- How far the base's acceleration can be from exact, along the axes of the world. bounds: of the coordinates; vdot:
-- these.
-- What turns them adds to it.
function Base:bound_along_world(bounds, vdot, single)
  local u, none = single and 2 ^ -24 or 2 ^ -53, ag.no_bound(single)
  local size, R = {}, spatial.matrix {{}, {}, {}}
  for i = 1, 3 do
    for j = 1, 3 do R[i][j] = scalar.abs(self.R[i][j]) end
  end
  for i = 1, self.nb do size[i] = scalar.abs(vdot[i]) end
  local along = turned(self.nb, bounds, function(v) return R * v end)
  local list = {}
  for i = 1, self.nb do
    local lin = self.nb == 3 and i <= 2 or self.nb == 6 and i <= 3
    local whole = self.nb == 3 and (lin and size[1] + size[2] or 0) or
      lin and size[1] + size[2] + size[3] or size[4] + size[5] + size[6]
    local sum = along[i] * (1 + 16 * u) + 40 * u * whole
    list[i] = scalar.limit(scalar.select(scalar.lt(sum, none), sum, none), none, "no_bound",
      "nothing is known of the error")
  end
  return list
end

-- Boolean: the pose is none.
function Base:bad_input(limit)
  if self.yaw then
    return scalar.limit(scalar.beyond(self.yaw, limit), limit, "largest_angle",
      "[rad]; sines of larger angles lose digits")
  end
  return self.quat and Base.bad_norm(self.norm2) or false
end

-- Boolean: a quaternion of this squared norm is no rotation.
function Base.bad_norm(norm2)
  local off = norm2 - 1 -- twice the norm's error
  return scalar.limit(scalar.beyond(off, 2e-6), 2e-6, "norm_error",
    "of a quaternion's squared norm: twice that of its norm, 1e-6")
end

Base.rotation_of = rotation_of

return Base
