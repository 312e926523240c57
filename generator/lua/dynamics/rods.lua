-- SPDX-License-Identifier: MIT
-- rods.lua: rods of linkages: two points at a constant distance, seen from the last body that carries both.
--
-- With d from the one point to the other and l the rod's length:
--   r = (d . d - l^2) / (2 l),   J_i = d / l . (z_i x (p - o_i)),   J-dot qd = (v . v + d . a) / l
-- z_i and o_i axis and origin of a joint on the way to the point p, v and a of d, a at accelerations of zero.

local scalar = require "scalar"
local spatial = require "spatial"
local motion = require "motion"

local Rod = {}
Rod.__index = Rod

-- The poses of the bodies on the way from `stop` to a body, by body.
local function poses_on(robot, way, stop)
  local poses = {[stop] = {p = spatial.zero, R = spatial.identity}}
  for k = #way, 1, -1 do
    local b = robot.bodies[way[k]]
    motion.outward_region(b, "pose")
    poses[way[k]] = motion.next_pose(b, poses[b.parent])
  end
  return poses
end

local function end_of(robot, frame, stop)
  local way = motion.way(robot, frame.body, stop)
  local poses = poses_on(robot, way, stop)
  local pose = poses[frame.body]
  return {way = way, poses = poses, frame = frame, p = pose.p + pose.R * frame.p}
end

-- rod: {frame, to, length}.
function Rod.new(robot, rod)
  local self = setmetatable({robot = robot, stop = motion.common(robot, rod.frame.body, rod.to.body)}, Rod)
  self.from, self.to = end_of(robot, rod.frame, self.stop), end_of(robot, rod.to, self.stop)
  self.per_length = scalar.divide(1, rod.length)
  local d = self.to.p - self.from.p
  self.along = self.per_length * d
  self.residual = 0.5 * (spatial.dot(self.along, d) - rod.length)
  return self
end

-- By body, what its joint moves along the rod.
function Rod:jacobian()
  local J = {}
  for i = 1, self.robot.n do J[i] = 0 end
  for k, part in ipairs {self.to, self.from} do
    for _, i in ipairs(part.way) do
      local b, pose = self.robot.bodies[i], part.poses[i]
      local axis = spatial.column(pose.R, 3)
      local moved = b.prismatic and axis or spatial.cross(axis, part.p - pose.p)
      local x = spatial.dot(self.along, moved)
      J[i] = k == 1 and x or -x
    end
  end
  return J
end

-- Velocity and acceleration, at accelerations of zero, of an end.
local function motion_of(robot, part)
  local m = {w = spatial.zero, wd = spatial.zero, a = spatial.zero,
    U = motion.acceleration_tensor(spatial.zero, spatial.zero)}
  local twist = {w = spatial.zero, v = spatial.zero}
  for k = #part.way, 1, -1 do
    local b = robot.bodies[part.way[k]]
    m = motion.outward_step(b, m)
    twist = motion.add_joint(b, motion.carry(b, twist), b.qd)
  end
  if #part.way == 0 then return spatial.zero, spatial.zero end
  local R, p = part.poses[part.frame.body].R, part.frame.p
  return R * (twist.v + spatial.cross(twist.w, p)), R * (m.a + m.U * p)
end

-- J-dot qd.
function Rod:drift()
  local v_from, a_from = motion_of(self.robot, self.from)
  local v_to, a_to = motion_of(self.robot, self.to)
  local v = v_to - v_from
  return self.per_length * spatial.dot(v, v) + spatial.dot(self.along, a_to - a_from)
end

return Rod
