-- SPDX-License-Identifier: MIT
-- stop_in_time.lua: accelerations that keep a joint within limits of its position, velocity and acceleration at once,
-- in steps of a period (runtime: achd/limit.h).

local scalar = require "scalar"

-- Newton's method doubles the digits of w in each step. It begins less than 2 a h from any w that is not cut off by the
-- acceleration: after six steps it is off by less than 1e-11 a h.
local newton_steps = 6

-- The most that a joint may accelerate towards a limit at distance d (nil: it has none) at the speed v towards it, with
-- the deceleration a and the period h: x = (w - v) / h within +-a. w, the speed after the period, is that from which
-- braking with a stops at the limit,
--     w^2 + a h w = 2 a (d - h v / 2),
-- no more than the velocity that is allowed, and from beyond the limit `rate` times the distance back. (Del Prete,
-- Joint position and velocity bounds in discrete-time acceleration/torque control of robot arms, IEEE Robotics and
-- Automation Letters 3, 2018.) by_d, by_v: its derivatives; of w with respect to d and v by the same steps.
local function most(group, j, d, v)
  local a, fastest, h, rate = group.acceleration[j], group.velocity[j], group.step, group.rate
  local ah = a * h
  local w, dw = nil, {d = 0, v = 0}
  if d then
    local left = d - h * v / 2
    local room, forward = scalar.lt(0, left), scalar.lt(0, v)
    left = scalar.select(room, left, 0)
    w = scalar.select(forward, v, 0) + ah
    local slope = {d = scalar.select(room, 1, 0), v = scalar.select(room, -(h / 2), 0)}
    dw.v = scalar.select(forward, 1, 0)
    for _ = 1, newton_steps do
      local next_w = (w * w + 2 * a * left) / (2 * w + ah)
      for _, x in ipairs {"d", "v"} do dw[x] = (2 * (w - next_w) * dw[x] + 2 * a * slope[x]) / (2 * w + ah) end
      w = next_w
    end
    local beyond, back, by_d = scalar.lt(d, 0), rate * d, rate
    if fastest then
      local cut = scalar.lt(back, -fastest)
      back, by_d = scalar.select(cut, -fastest, back), scalar.select(cut, 0, rate)
    end
    dw = {d = scalar.select(beyond, by_d, dw.d), v = scalar.select(beyond, 0, dw.v)}
    w = scalar.select(beyond, back, w)
  end
  if fastest and w then
    local cut = scalar.lt(fastest, w)
    dw = {d = scalar.select(cut, 0, dw.d), v = scalar.select(cut, 0, dw.v)}
    w = scalar.select(cut, fastest, w)
  elseif fastest then
    w = fastest
  end
  if not w then return a, 0, 0 end
  local x = (w - v) / h
  local cut = scalar.lor(scalar.lt(a, x), scalar.lt(x, -a))
  return scalar.clamp(x, a), scalar.select(cut, 0, dw.d / h), scalar.select(cut, 0, (dw.v - 1) / h)
end

-- The bound of qdd of joint k of a group, `side` "lower" or "upper"; and how it changes, {q, qd}.
return function(state, group, k, side)
  local j = group.joints[k]
  local joint = state.chain.bodies[state.chain.leader[j]].link.joint
  local q, qd = state.q[j], state.qd[j]
  local limited = group.stops[j] == 1
  if side == "upper" then
    local x, by_d, by_v = most(group, j, limited and joint.upper - q, qd)
    return x, {q = -by_d, qd = by_v}
  end
  local x, by_d, by_v = most(group, j, limited and q - joint.lower, -qd)
  return -x, {q = -by_d, qd = by_v}
end
