-- SPDX-License-Identifier: MIT
-- places.lua: a place of the robot, where its joints and its base are, moved along velocities: what a step integrates.
--
-- A place: q by joint; c, s by body: cosine and sine of the angle of a joint that turns; of a planar base x, y, yaw,
-- c_yaw, s_yaw; of a floating one position and quat or R. Velocities are by coordinate, those of the base of its origin
-- along the axes of the world. Moved by d: q + d, and exp(d_w) R of a rotation R.

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
  local place, v = {q = state.q, c = {}, s = {}}, {}
  for i, b in ipairs(state.robot.bodies) do
    if not b.prismatic then place.c[i], place.s[i] = state.trig.c[i], state.trig.s[i] end
  end
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

-- The place moved by d. turned: also cosines and sines, for what is computed there. Second result: a condition: the
-- base turns by more than one step can.
function Places.moved(state, place, d, turned)
  local chain, nb = state.chain, state.chain.nb
  local to, far = {q = {}, c = {}, s = {}}, false
  for j = 1, chain.nj do to.q[j] = place.q[j] + d[nb + j] end
  for i, b in ipairs(turned and state.robot.bodies or {}) do
    if not b.prismatic then
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
    local most = turns.largest * turns.largest
    far = scalar.limit(scalar.lt(most, square), most, "largest_turn",
      "[rad^2]; the square of half the angle by which a step turns the base")
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
  local chain, nb = state.chain, state.chain.nb
  state:put("q_next", place.q)
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
