-- SPDX-License-Identifier: MIT
-- reach.lua: which rows at the ends of limbs the joints can produce, for layouts without groups: an arm of four joints
-- gives four of six.
--
-- The rows' Jacobians in random states tell: row by row, linear ones of all limbs first, a row counts where its square
-- length across the rows that are taken is at least `least` of its square length, and is taken where it counts in at
-- least half of the states. A row shorter than `short` is none: the joints move along it by what the URDF's decimals
-- leave of a right angle, and forces along it would be huge. Levers can be long, and angles as rough as 3.14: so joints
-- turn as they would with the angles that are meant, whose sines and cosines are those of multiples of 30 and of 45
-- degrees to `rough`.
--
-- A robot is {bodies, frames, nb, joint, ties}: bodies and frames as ag.reduce has them, the number of freedoms of the
-- base, joint(i), the joint of body i, and {frame, to, rows} of each tie, whose rows are taken first. Plain numbers
-- only.

local scalar = require "scalar"
local spatial = require "spatial"

local Reach = {}

local states, least, short = 32, 1e-6, 1e-3 -- 1.57 leaves 8e-4 of a right angle
-- What is shorter is rounding, which status bits tell of.
local shortest = 1e-7
local rough = 4e-3 -- 3.14 leaves 1.6e-3, 3.14 twice 3.2e-3
local meant = {0, 1 / 2, math.sqrt(1 / 2), math.sqrt(3 / 4), 1}
local axis_of = {lin_x = 1, lin_y = 2, lin_z = 3, ang_x = 4, ang_y = 5, ang_z = 6}
local dot = scalar.sum_of_products -- of rows of any length

-- By the angle q about the unit axis a: cos q 1 + sin q [a] + (1 - cos q) a a^T (Rodrigues).
local function rotation(a, q)
  local s, c = ag.sincos(math.fmod(q, 2 * math.pi))
  local k, x, y, z = 1 - c, a[1], a[2], a[3]
  return spatial.matrix {
    {c + k * x * x, k * x * y - s * z, k * x * z + s * y},
    {k * y * x + s * z, c + k * y * y, k * y * z - s * x},
    {k * z * x - s * y, k * z * y + s * x, c + k * z * z},
  }
end

-- The number that x, of a unit vector, is meant as; x itself: of none.
local function meant_by(x)
  for _, y in ipairs(meant) do
    if math.abs(math.abs(x) - y) < rough then return x < 0 and -y or y end
  end
  return x
end

local function of_vector(v) return spatial.vector {meant_by(v[1]), meant_by(v[2]), meant_by(v[3])} end

-- Whether rows are of length 1 and at right angles to each other.
local function orthonormal(rows)
  for a = 1, #rows do
    for b = 1, a do
      if math.abs(dot(rows[a], rows[b]) - (a == b and 1 or 0)) > 1e-12 then return false end
    end
  end
  return true
end

-- The robot with the angles that are meant; nil: it has them.
local function with_angles_meant(robot)
  local bodies, changed = {}, false
  for i, b in ipairs(robot.bodies) do
    local R, axis = b.origin.R, b.axis
    local rows, turned = {}, of_vector(axis)
    for k = 1, 3 do rows[k] = {meant_by(R[k][1]), meant_by(R[k][2]), meant_by(R[k][3])} end
    if not orthonormal(rows) then rows = R end
    if not orthonormal {turned} then turned = axis end
    for k = 1, 3 do
      for l = 1, 3 do changed = changed or math.abs(rows[k][l] - R[k][l]) > shortest end
      changed = changed or math.abs(turned[k] - axis[k]) > shortest
    end
    bodies[i] = {parent = b.parent, mimic = b.mimic, axis = turned,
      origin = {p = b.origin.p, R = rows == R and R or spatial.matrix(rows)}}
  end
  if not changed then return nil end
  return {bodies = bodies, frames = robot.frames, nb = robot.nb, joint = robot.joint, ties = robot.ties}
end

-- Numbers from 0 to 1, the same in every run (a linear congruential generator).
local function generator()
  local seed = 20230217
  return function()
    seed = (seed * 1103515245 + 12345) & 0x7fffffff
    return seed / 0x80000000
  end
end

local function slides(robot, i) return robot.joint(i).type == "prismatic" end

-- A position of body i's joint, within its limits, or within half a turn or half a metre.
local function draw_position(robot, i, random)
  local joint = robot.joint(i)
  local wide = slides(robot, i) and 0.5 or math.pi
  local lower, upper = joint.lower or -wide, joint.upper or wide
  if joint.lower and not joint.upper then upper = lower + 2 * wide end
  if joint.upper and not joint.lower then lower = upper - 2 * wide end
  if not slides(robot, i) then lower, upper = math.max(lower, -wide), math.min(upper, wide) end
  if lower > upper then lower, upper = joint.lower or -wide, joint.upper or wide end
  return lower + (upper - lower) * random()
end

-- Poses {p, R} of the bodies in a random state, and the axes of their joints, along those of the base.
local function draw(robot, random)
  local q, poses = {}, {[0] = {p = spatial.zero, R = spatial.identity}}
  for i in ipairs(robot.bodies) do q[i] = draw_position(robot, i, random) end
  for i, b in ipairs(robot.bodies) do
    local joint = robot.joint(i)
    local x = b.mimic and joint.multiplier * q[b.mimic] + joint.offset or q[i]
    local pose = spatial.pose_mul(poses[b.parent], b.origin)
    pose.axis = pose.R * b.axis
    if slides(robot, i) then
      pose.p = pose.p + x * pose.axis
    else
      pose.R = pose.R * rotation(b.axis, x)
    end
    poses[i] = pose
  end
  return poses
end

-- The six rows of a frame {body, p}: what a unit of each velocity gives, those of the base first. Lengths by `size`.
local function jacobian(robot, poses, frame, size)
  local J = {}
  for r = 1, 6 do J[r] = scalar.zeros(robot.nb + #robot.bodies) end
  local point = poses[frame.body].p + poses[frame.body].R * frame.p
  local function slide(c, axis, factor)
    for k = 1, 3 do J[k][c] = J[k][c] + factor * axis[k] end
  end
  local function turn(c, axis, origin, factor)
    slide(c, spatial.cross(axis, point - origin), factor / size)
    for k = 1, 3 do J[3 + k][c] = J[3 + k][c] + factor * axis[k] end
  end
  local nb, unit = robot.nb, spatial.identity -- of a base: x, y, z and turns about them; of a planar one x, y, yaw
  local straight = nb == 3 and 2 or nb // 2
  for c = 1, straight do slide(c, unit[c], 1) end
  for c = straight + 1, nb do turn(c, unit[nb == 3 and c or c - 3], spatial.zero, 1) end
  local i = frame.body
  while i > 0 do
    local b, pose = robot.bodies[i], poses[i]
    local c, factor = nb + (b.mimic or i), b.mimic and robot.joint(i).multiplier or 1
    if slides(robot, i) then slide(c, pose.axis, factor) else turn(c, pose.axis, pose.p, factor) end
    i = b.parent
  end
  return J
end

local function length(v) return math.sqrt(dot(v, v)) end

-- How far the robot reaches, about: all lengths between joints, and to its farthest frame.
local function size_of(robot, frames)
  local size, farthest = 0, 0
  for _, b in ipairs(robot.bodies) do size = size + length(b.origin.p) end
  for _, f in ipairs(frames) do farthest = math.max(farthest, length(f.p)) end
  return math.max(size + farthest, 1e-3)
end

-- What is left of a row across those that are taken, and its share of the row's square length.
local function across(taken, row)
  local whole, x = dot(row, row), {table.unpack(row)}
  for _ = 1, 2 do -- the second time what rounding has left
    for _, u in ipairs(taken) do
      local along = dot(u, x)
      for c = 1, #x do x[c] = x[c] - along * u[c] end
    end
  end
  return x, whole > short ^ 2 and dot(x, x) / whole or 0
end

-- Whether row r of frame k counts in at least half of the states {J, taken}: then it is taken where it counts.
local function take(seen, k, r)
  local rest, count = {}, 0
  for s, state in ipairs(seen) do
    local x, share = across(state.taken, state.J[k][r])
    if share >= least then rest[s], count = x, count + 1 end
  end
  if 2 * count < #seen then return false end
  for s, state in ipairs(seen) do
    local x = rest[s]
    if x then
      local by = length(x)
      for c = 1, #x do x[c] = x[c] / by end
      table.insert(state.taken, x)
    end
  end
  return true
end

-- The rows of a tie {frame, to}: the motion of `to` from the body of `frame`, at one point.
local function tie_jacobian(robot, poses, tie, size)
  local from, to = poses[tie.frame.body], poses[tie.to.body]
  local point = to.p + to.R * tie.to.p
  local J = jacobian(robot, poses, tie.to, size)
  local here = jacobian(robot, poses, {body = tie.frame.body, p = spatial.mul_transposed(from.R, point - from.p)}, size)
  for r = 1, 6 do
    for c = 1, #J[r] do J[r][c] = J[r][c] - here[r][c] end
  end
  return J
end

-- Of `wanted` rows at each of `frames` those that the joints can produce, in their order: a list of lists, of which
-- some may be empty. Second result: whether these are all.
function Reach.rows(robot, frames, wanted)
  robot = with_angles_meant(robot) or robot
  local random, size, seen = generator(), size_of(robot, frames), {}
  for s = 1, states do
    local poses, J = draw(robot, random), {}
    for k, frame in ipairs(frames) do J[k] = jacobian(robot, poses, frame, size) end
    for _, tie in ipairs(robot.ties) do J[tie] = tie_jacobian(robot, poses, tie, size) end
    seen[s] = {J = J, taken = {}}
  end
  for _, tie in ipairs(robot.ties) do
    for _, name in ipairs(tie.rows) do take(seen, tie, axis_of[name]) end
  end
  local all, list = true, {}
  for k in ipairs(wanted) do list[k] = {} end
  for _, kind in ipairs {"lin", "ang"} do
    for k, rows in ipairs(wanted) do
      for _, name in ipairs(rows) do
        if name:sub(1, 3) == kind then
          if take(seen, k, axis_of[name]) then table.insert(list[k], name) else all = false end
        end
      end
    end
  end
  return list, all
end

-- The rows of a frame {body, p, R} in random states, along axes of the base, or of the frame (linked): a list of {J =
-- {by row}, taken}, for take.
local function frame_rows(robot, frame, linked)
  local random, size, seen = generator(), size_of(robot, {frame}), {}
  for s = 1, states do
    local poses = draw(robot, random)
    local J = jacobian(robot, poses, frame, size)
    local axes = linked and poses[frame.body].R * frame.R or spatial.identity
    local rows = {}
    for r = 1, 6 do
      local first, axis, row = r <= 3 and 0 or 3, (r - 1) % 3 + 1, {}
      for c = 1, #J[r] do
        row[c] = 0
        for k = 1, 3 do row[c] = row[c] + axes[k][axis] * J[first + k][c] end
      end
      rows[r] = row
    end
    seen[s] = {J = {rows}, taken = {}}
  end
  return seen
end

-- The largest length of row r, or of what is left of it across those that are taken.
local function longest(seen, r, left)
  local most = 0
  for _, state in ipairs(seen) do
    most = math.max(most, length(left and across(state.taken, state.J[1][r]) or state.J[1][r]))
  end
  return most
end

-- Of a frame {body, p, R}, along axes of the base, or of the frame (linked), the rows that joints reach by decimals
-- only: {{name, length, across}}, length the largest in random states, of linear rows over the robot's size; across: of
-- what is left of it across the rows before it.
function Reach.hardly(robot, frame, linked, wanted)
  local list, seen = {}, frame_rows(robot, frame, linked)
  local other = with_angles_meant(robot)
  local by_meant = other and frame_rows(other, frame, linked)
  for _, name in ipairs(wanted) do
    local r = axis_of[name]
    local x, rest = longest(seen, r), longest(seen, r, true)
    local taken, is_meant, none = take(seen, 1, r), true, false
    if by_meant then is_meant, none = take(by_meant, 1, r), longest(by_meant, r) <= shortest end
    if x > shortest and (x < short or none) then
      list[#list + 1] = {name = name, length = x}
    elseif taken and not is_meant then
      list[#list + 1] = {name = name, length = rest, across = true}
    end
  end
  return list
end

return Reach
