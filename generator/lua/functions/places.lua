-- SPDX-License-Identifier: MIT
-- places.lua: a place of the robot, where its joints and its base are, moved along velocities: what a step integrates.
--
-- A place: q by joint; c, s by body: cosine and sine of the angle of a joint that turns; of ball joints, as state.balls
-- lists them, the quaternions `ball`, and turn: their rotations by body; of a planar base x, y, yaw,
-- c_yaw, s_yaw; of a floating one position and quat or R. Velocities are by coordinate, those of the base of its origin
-- along the axes of the world, those of a ball along the axes of its child. Moved by d: q + d, exp(d_w) R of the
-- rotation R of a base, R exp(d_w) of that of a ball. The q of a ball's axes mean nothing.

local spatial = require "spatial"
local scalar = require "scalar"
local motion = require "motion"
local turns = require "turns"
local Base = require "moving_base"

local Places = {}

-- Where the base stands comes in beside how it is turned (inputs.lua).
function Places.read(state)
  local base = state.base
  if not base then return end
  local function given(name, shape, doc)
    return state:input {name = name, shape = shape, linear = "m", angular = "m", doc = doc}
  end
  if state.chain.nb == 3 then
    base.x = given("base.x", "scalar", "x of the origin of " .. state.base_name .. " in the world")[1]
    base.y = given("base.y", "scalar", "y of the origin of " .. state.base_name .. " in the world")[1]
  else
    base.position = spatial.vector(given("base.position", "vector",
      "position of the origin of " .. state.base_name .. " in the world"))
  end
end

-- The place and the velocities that come in.
function Places.given(state)
  local base, chain = state.base, state.chain
  local place, v = {q = state.q, c = {}, s = {}, ball = {}, turn = state.trig.turn}, {}
  for i, b in ipairs(state.robot.bodies) do
    if not b.prismatic and not b.ball then place.c[i], place.s[i] = state.trig.c[i], state.trig.s[i] end
  end
  for k, ball in ipairs(state.balls) do place.ball[k] = ball.quat end
  if chain.nb == 3 then
    place.x, place.y, place.yaw, place.c_yaw, place.s_yaw = base.x, base.y, base.yaw, base.R[1][1], base.R[2][1]
  elseif base then
    place.position, place.quat, place.R = base.position, base.quat, base.R
  end
  for c = 1, chain.nb do v[c] = base.twist[c] end
  for j = 1, chain.nj do v[chain.nb + j] = state.qd[j] end
  return place, v
end

-- R moved by the turn of a quaternion, and made a rotation again where rounding adds up: R (3 - R^T R) / 2.
local function turn_matrix(quat, R)
  local turned = Base.rotation_of(quat) * R
  local square = spatial.transpose(turned) * turned
  local correction = spatial.matrix {{}, {}, {}}
  for i = 1, 3 do
    for j = 1, 3 do correction[i][j] = (i == j and 1.5 or 0) - 0.5 * square[i][j] end
  end
  return turned * correction
end

-- Components of the velocities, or of a small change, of a ball whose first body is i.
function Places.of_ball(chain, i, d)
  local c = chain.nb + chain.joint_of[i]
  return spatial.vector {d[c], d[c + 1], d[c + 2]}
end

local most = turns.largest * turns.largest

-- A condition: a turn is more than one step can, by the square of half its angle.
local function too_far(square)
  return scalar.limit(scalar.lt(most, square), most, "largest_turn",
    "[rad^2]; the square of half the angle by which a step turns the base")
end

-- The quaternions of the balls moved by d, and the condition.
local function moved_balls(chain, place, d, to, turned)
  local far = false
  for k, ball in ipairs(chain.balls) do
    local turn, square = turns.quaternion(Places.of_ball(chain, ball.body, d))
    far = scalar.lor(far, too_far(square))
    to.ball[k] = turns.normalised(turns.product(place.ball[k], turn))
    if turned then to.turn[ball.body] = Base.rotation_of(to.ball[k]) end
  end
  return far
end

-- The place moved by d. turned: also cosines and sines, for what is computed there. Second result: a condition: the
-- base, or a ball, turns by more than one step can.
function Places.moved(state, place, d, turned)
  local chain, nb = state.chain, state.chain.nb
  local to = {q = {}, c = {}, s = {}, ball = {}, turn = {}}
  for j = 1, chain.nj do to.q[j] = place.q[j] + d[nb + j] end
  local far = moved_balls(chain, place, d, to, turned)
  for i, b in ipairs(turned and state.robot.bodies or {}) do
    if not b.prismatic and not b.ball then
      local angle = chain.ratio[i] * d[nb + chain.joint_of[i]]
      to.c[i], to.s[i] = turns.further(place.c[i], place.s[i], angle)
    end
  end
  if nb == 3 then
    to.x, to.y, to.yaw = place.x + d[1], place.y + d[2], place.yaw + d[3]
    if turned then to.c_yaw, to.s_yaw = turns.further(place.c_yaw, place.s_yaw, d[3]) end
  elseif nb == 6 then
    to.position = place.position + spatial.vector {d[1], d[2], d[3]}
    local turn, square = turns.quaternion(spatial.vector {d[4], d[5], d[6]})
    far = scalar.lor(far, too_far(square))
    if place.quat then
      to.quat = turns.normalised(turns.product(turn, place.quat))
    else
      to.R = turn_matrix(turn, place.R)
    end
  end
  return to, far
end

-- The state of the robot at a place with these velocities, as State.new makes it of inputs.
function Places.state(state, place, v)
  local chain, nb = state.chain, state.chain.nb
  local there = setmetatable({}, {__index = state})
  there.carried, there.poses, there.late_poses, there.twists_made, there.with_vdot_made = {}, nil, false, false, false
  there.q, there.qd = place.q, table.move(v, nb + 1, nb + chain.nj, 1, {})
  if nb > 0 then
    local twist = table.move(v, 1, nb, 1, {})
    local R = nb == 3 and spatial.matrix {{place.c_yaw, -place.s_yaw, 0}, {place.s_yaw, place.c_yaw, 0}, {0, 0, 1}}
    there.base = Base.new(nb, {R = R or place.R, quat = not R and place.quat or nil, twist = twist})
  end
  local q = motion.per_body(chain, place.q)
  for i = 1, chain.n do q[i] = q[i] + chain.offset[i] end
  local base = there.base and there.base:motion()
  there.robot = motion.robot(chain, q, motion.per_body(chain, there.qd), place, base)
  there.robot.sums = state.variant.sums
  there.poses = state.variant.axes == "matrix" and motion.poses(there.robot) or false
  return there
end

-- Declares the place and the velocities as outputs.
function Places.put(state, place, v)
  local chain, nb, q = state.chain, state.chain.nb, table.move(place.q, 1, #place.q, 1, {})
  for _, ball in ipairs(chain.balls) do
    local j = chain.joint_of[ball.body]
    q[j], q[j + 1], q[j + 2] = 0, 0, 0
  end
  state:put("q_next", q)
  for k, ball in ipairs(chain.balls) do state:put("ball_next.", place.ball[k], {id = ball.id, of = ball.name}) end
  state:put("qd_next", table.move(v, nb + 1, nb + chain.nj, 1, {}))
  if nb == 3 then
    for _, word in ipairs {"x", "y", "yaw"} do state:put("base_next." .. word, {place[word]}) end
  elseif nb == 6 then
    state:put("base_next.position", place.position)
    if place.quat then
      state:put("base_next.quat", place.quat)
    else
      local values = {}
      for i = 1, 3 do table.move(place.R[i], 1, 3, #values + 1, values) end
      state:put("base_next.rot", values)
    end
  end
  if nb > 0 then state:put("base_next.twist", table.move(v, 1, nb, 1, {})) end
end

return Places
