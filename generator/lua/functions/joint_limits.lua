-- SPDX-License-Identifier: MIT
-- joint_limits.lua: accelerations that keep a joint within its limits.

local scalar = require "scalar"

-- Whether joint k of a group of limits is within the margin of its lower limit, where qdd >= b must hold; of its upper
-- one, where qdd <= b must hold; and b, for a distance d and a speed v towards the limit against it
--   2 rate v - rate^2 d + max(0, v - rate d)^2 / d:
-- up to v = rate d that of a critically damped approach, above v^2 / d: both come to rest at d = 0 and not beyond. And
-- a function that makes the derivatives of b, {q, qd}; nil: it is given.
return function(state, group, k)
  local j = group.joints[k]
  local joint = state.chain.bodies[state.chain.leader[j]].link.joint
  local q, qd, rate = state.q[j], state.qd[j], group.rate
  local below, above = q - joint.lower, joint.upper - q
  local lower = scalar.land(scalar.lt(below, group.margin), scalar.lnot(scalar.lt(above, below)))
  local upper = scalar.land(scalar.lt(above, group.margin), scalar.lt(above, below))
  for _, near in ipairs {lower, upper} do
    scalar.limit(near, group.margin, "margin", "[rad, m]; as near to a limit, a joint is stopped")
  end
  local function nearest(d)
    local least = 1e-3 * group.margin
    return scalar.limit(scalar.max(d, least), least, "nearest",
      "[rad, m]; a thousandth of the margin, at which stopping gets no harder")
  end
  local function stop(d, v)
    local fast = scalar.max(0, v - rate * d)
    return 2 * rate * v - rate * rate * d + fast * fast / nearest(d)
  end
  local b = group.given_b and group.given_b[k]
    or scalar.select(lower, stop(below, -qd), scalar.select(upper, -stop(above, qd), 0))
  -- Both at the lower limit, where d = q - lower and v = -qd, and at the upper one, where b = -stop, d = upper - q and
  -- v = qd,
  --   db/dq = dstop/dd,  db/dqd = -dstop/dv
  local function slope()
    local near = scalar.lor(lower, upper)
    local d, v, least = scalar.select(lower, below, above), scalar.select(lower, -qd, qd), 1e-3 * group.margin
    local ratio = scalar.max(0, v - rate * d) / nearest(d)
    local nearer = scalar.select(scalar.lt(d, least), 0, ratio * ratio)
    return {
      q = scalar.select(near, -(rate * rate + 2 * rate * ratio + nearer), 0),
      qd = scalar.select(near, -(2 * rate + 2 * ratio), 0),
    }
  end
  return lower, upper, b, not group.given_b and slope or nil
end
