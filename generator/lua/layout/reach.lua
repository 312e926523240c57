-- reach.lua: which rows at the ends of limbs the joints can produce, for layouts without groups: an arm of four joints gives four of six.
--
-- The rows' Jacobians in random states tell: row by row, linear ones of all limbs first, a row counts where its square length across the
-- rows that are taken is at least `least` of its square length, and is taken where it counts in at least half of the states.

local Reach = {}

local states, least = 32, 1e-6
local axis_of = {lin_x = 1, lin_y = 2, lin_z = 3, ang_x = 4, ang_y = 5, ang_z = 6}

local function dot(a, b)
  local sum = 0
  for k = 1, #a do sum = sum + a[k] * b[k] end
  return sum
end

local function cross(a, b)
  return {a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1]}
end

local function turned(R, v) return {dot(R[1], v), dot(R[2], v), dot(R[3], v)} end
local function plus(a, b) return {a[1] + b[1], a[2] + b[2], a[3] + b[3]} end
local function minus(a, b) return {a[1] - b[1], a[2] - b[2], a[3] - b[3]} end

-- A B
local function product(A, B)
  local C = {}
  for i = 1, 3 do
    C[i] = {}
    for j = 1, 3 do C[i][j] = A[i][1] * B[1][j] + A[i][2] * B[2][j] + A[i][3] * B[3][j] end
  end
  return C
end

-- By the angle q about the unit axis a: cos q 1 + sin q [a] + (1 - cos q) a a^T (Rodrigues).
local function rotation(a, q)
  local c, s = math.cos(q), math.sin(q)
  local K = {{0, -a[3], a[2]}, {a[3], 0, -a[1]}, {-a[2], a[1], 0}}
  local R = {}
  for i = 1, 3 do
    R[i] = {}
    for j = 1, 3 do R[i][j] = (i == j and c or 0) + s * K[i][j] + (1 - c) * a[i] * a[j] end
  end
  return R
end

-- Numbers from 0 to 1, the same in every run (a linear congruential generator).
local function generator()
  local seed = 20230217
  return function()
    seed = (seed * 1103515245 + 12345) & 0x7fffffff
    return seed / 0x80000000
  end
end

-- robot: bodies as of ag.reduce, joint(i) of body i, nb freedoms of the base. Poses of the bodies, and the axes of their
-- joints, along those of the base; positions within the limits, or within half a turn or half a metre.
local function draw(robot, random)
  local q, poses = {}, {[0] = {p = {0, 0, 0}, R = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}}
  for i in ipairs(robot.bodies) do
    local joint = robot.joint(i)
    local slides = joint.type == "prismatic"
    local wide = slides and 0.5 or math.pi
    local lower, upper = joint.lower or -wide, joint.upper or wide
    if joint.lower and not joint.upper then upper = lower + 2 * wide end
    if joint.upper and not joint.lower then lower = upper - 2 * wide end
    if not slides then lower, upper = math.max(lower, -wide), math.min(upper, wide) end
    if lower > upper then lower, upper = joint.lower or -wide, joint.upper or wide end
    q[i] = lower + (upper - lower) * random()
  end
  for i, b in ipairs(robot.bodies) do
    local joint, above = robot.joint(i), poses[b.parent]
    local x = b.mimic and joint.multiplier * q[b.mimic] + joint.offset or q[i]
    local R, p = product(above.R, b.origin.R), plus(above.p, turned(above.R, b.origin.p))
    local axis = turned(R, b.axis)
    if joint.type == "prismatic" then
      p = {p[1] + x * axis[1], p[2] + x * axis[2], p[3] + x * axis[3]}
    else
      R = product(R, rotation(b.axis, x))
    end
    poses[i] = {R = R, p = p, axis = axis}
  end
  return poses
end

-- The six rows of a frame {body, p}: what a unit of each velocity gives, those of the base first. Lengths by `size`.
local function jacobian(robot, poses, frame, size)
  local J, n = {}, #robot.bodies
  for r = 1, 6 do
    J[r] = {}
    for c = 1, robot.nb + n do J[r][c] = 0 end
  end
  local at = poses[frame.body]
  local point = plus(at.p, turned(at.R, frame.p))
  local function set(c, axis, origin, slides, factor)
    local lin = slides and axis or cross(axis, minus(point, origin))
    for k = 1, 3 do
      J[k][c] = J[k][c] + factor * lin[k] * (slides and 1 or 1 / size)
      J[3 + k][c] = J[3 + k][c] + (slides and 0 or factor * axis[k])
    end
  end
  local unit = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
  for c = 1, robot.nb do
    local slides = c <= (robot.nb == 3 and 2 or 3)
    set(c, unit[robot.nb == 3 and c or (c - 1) % 3 + 1], {0, 0, 0}, slides, 1)
  end
  local i = frame.body
  while i > 0 do
    local b = robot.bodies[i]
    set(robot.nb + (b.mimic or i), poses[i].axis, poses[i].p, robot.joint(i).type == "prismatic", b.mimic and robot.joint(i).multiplier or 1)
    i = b.parent
  end
  return J
end

-- How far the robot reaches, about: all lengths between joints, and to its farthest frame.
local function size_of(robot, frames)
  local size, farthest = 0, 0
  for _, b in ipairs(robot.bodies) do size = size + math.sqrt(dot(b.origin.p, b.origin.p)) end
  for _, f in ipairs(frames) do farthest = math.max(farthest, math.sqrt(dot(f.p, f.p))) end
  return math.max(size + farthest, 1e-3)
end

-- Of `wanted` rows at each of `frames` those that the joints can produce, in their order: a list of lists, of which some may be empty.
-- Second result: whether these are all.
function Reach.rows(robot, frames, wanted)
  local random, size, seen = generator(), size_of(robot, frames), {}
  for s = 1, states do
    local poses = draw(robot, random)
    seen[s] = {taken = {}, J = {}}
    for k, frame in ipairs(frames) do seen[s].J[k] = jacobian(robot, poses, frame, size) end
  end
  -- what is left of a row across those that are taken; its share of the row's square length
  local function across(state, row)
    local whole, x = dot(row, row), {table.unpack(row)}
    for _ = 1, 2 do -- the second time what rounding has left
      for _, u in ipairs(state.taken) do
        local along = dot(u, x)
        for c = 1, #x do x[c] = x[c] - along * u[c] end
      end
    end
    return x, whole > 0 and dot(x, x) / whole or 0
  end
  local function take(k, r)
    local rest, count = {}, 0
    for s, state in ipairs(seen) do
      local x, share = across(state, state.J[k][r])
      if share >= least then rest[s], count = x, count + 1 end
    end
    if 2 * count < states then return false end
    for s, state in ipairs(seen) do
      if rest[s] then
        local length = math.sqrt(dot(rest[s], rest[s]))
        for c = 1, #rest[s] do rest[s][c] = rest[s][c] / length end
        table.insert(state.taken, rest[s])
      end
    end
    return true
  end
  local given, all, list = {}, true, {}
  for _, angular in ipairs {false, true} do
    for k, rows in ipairs(wanted) do
      given[k] = given[k] or {}
      for _, name in ipairs(rows) do
        local r = axis_of[name]
        if (r > 3) == angular then
          given[k][name] = take(k, r)
          all = all and given[k][name]
        end
      end
    end
  end
  for k, rows in ipairs(wanted) do
    list[k] = {}
    for _, name in ipairs(rows) do
      if given[k][name] then table.insert(list[k], name) end
    end
  end
  return list, all
end

return Reach
