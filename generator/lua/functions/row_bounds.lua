-- SPDX-License-Identifier: MIT
-- row_bounds.lua: between what bounds the forces of rows are, lo <= nu <= hi: those of the layout, of contacts, of the
-- joints' friction and of their limits; and how those of a contact that slides change with position and velocity.

local scalar = require "scalar"
local spatial = require "spatial"
local constraints = require "constraints"
local RowDerivatives = require "row_derivatives"
local near_limit = require "joint_limits"
local stop_in_time = require "stop_in_time"

local RowBounds = {}

-- Is it a row of the friction of joints or motors?
function RowBounds.of_friction(row) return row.motor or row.joint and row.group.coulomb ~= nil end

-- What row k of dry friction rubs at: the speed of a joint, or of a motor, w = G qd; and how slow it sticks.
local function speed_of(state, group, k)
  if not group.motors then return state.qd[group.joints[k]], group.threshold end
  return scalar.sum_of_products(state.layout.gears.G[group.motors[k]], state.qd), group.thresholds[k]
end

-- sqrt(sum x^2), straight-line.
local function length(list)
  local total = 0
  for _, x in ipairs(list) do
    local a = scalar.abs(x)
    local long, short = scalar.max(total, a), scalar.min(total, a)
    local ratio = short / scalar.select(scalar.eq(long, 0), 1, long)
    total = scalar.is_zero(total) and a or long * scalar.sqrt_1_2(1 + ratio * ratio)
  end
  return total
end

-- Friction of a contact, given its normal force: sticking |nu_k| <= mu F; sliding nu = -mu F v / |v|, which is a row
-- whose bounds are equal. Row `normal` of a contact that only pushes: nu >= 0.
local function contact_bounds(state, group, rows, none)
  local lo, hi, normal = {}, {}, group.contact.normal_row
  if normal then lo[normal], hi[normal] = 0, none end
  if normal and #group.rows == 1 then return lo, hi end
  ag.region("bounds: friction of " .. group.name, group.name)
  local body = group.frame.body
  local t = state:twists()[body]
  local velocity = {lin = t.v + spatial.cross(t.w, group.frame.p), ang = t.w}
  local v = constraints.seen(group, rows, velocity, spatial.zero, state:to_base_function(), state:to_body_function())
  local along_surface = {}
  for k = 1, #group.rows do
    if k ~= normal then along_surface[#along_surface + 1] = v[k] end
  end
  local speed = length(along_surface)
  local most = group.contact.mu * scalar.max(0, group.contact.normal)
  local slides = scalar.lt(group.contact.threshold, speed)
  scalar.limit(slides, group.contact.threshold, "sticks", "[m/s]; at a lower speed a contact does not slide")
  local along = most / scalar.select(slides, speed, 1)
  for k = 1, #group.rows do
    if k ~= normal then
      local kinetic = -(along * v[k])
      lo[k], hi[k] = scalar.select(slides, kinetic, -most), scalar.select(slides, kinetic, most)
    end
  end
  return lo, hi, {v = v, speed = speed, slides = slides, along = along, normal = normal}
end

-- A condition: friction of row k that comes at run time is no more in motion than at rest, and the period of the
-- steps above zero. nil: none comes at run time.
local function friction_means(group, k)
  local good, j = nil, group.joints[k]
  if group.breakaway and group.breakaway[j] and group.breakaway_at_run_time then
    good = scalar.lnot(scalar.lt(group.breakaway[j], group.coulomb[j] or 0))
  end
  if group.period_at_run_time then
    local forward = scalar.lt(0, group.period)
    good = good and scalar.land(good, forward) or forward
  end
  return good
end

-- Friction of row k in motion and at rest, and a condition: the joint is at rest (nil: the speed makes no difference).
local function friction_of(state, group, k)
  local j, rests = group.joints[k], nil
  local f = group.motors and state.layout.motors[group.motors[k]].coulomb or group.coulomb[j] or 0
  if not group.period or group.breakaway then
    local speed, threshold = speed_of(state, group, k)
    rests = scalar.lt(scalar.abs(speed), threshold)
    scalar.limit(rests, threshold, "rests", group.motors and "[rad/s]; a motor of lower speed is at rest" or
      "[rad/s, m/s]; a joint of lower speed is at rest")
  end
  return f, group.breakaway and group.breakaway[j] or f, rests
end

-- Friction of a joint, or of a motor of the speed w in the place of qd: at rest |nu| <= f_s, the breakaway friction; in
-- motion nu = -f sgn(qd). In steps of the period h, |nu| <= f at every speed and b = -qd / h: the joint stops in the
-- step in which f suffices, and slides else, with nu = -f sgn(qd + h qdd) (Stewart, Trinkle, An implicit time-stepping
-- scheme for rigid body dynamics with Coulomb friction, International Journal for Numerical Methods in Engineering 39,
-- 1996). Where the numbers mean nothing lo > hi, which the solver refuses. Returns lo, hi, b, and a function that makes
-- its derivatives, {q, qd}.
local function friction_bounds(state, group, k)
  local f, at_rest, rests = friction_of(state, group, k)
  local qd, h, good = speed_of(state, group, k), group.period, friction_means(group, k)
  local function meant(x) return good == nil and x or scalar.select(good, x, -1) end
  if h then
    local most = meant(rests and scalar.select(rests, at_rest, f) or f)
    return -most, most, -(qd / h), function() return {q = 0, qd = -(1 / h)} end
  end
  f, at_rest = meant(f), meant(at_rest)
  local kinetic = scalar.select(scalar.lt(qd, 0), f, -f)
  return scalar.select(rests, -at_rest, kinetic), scalar.select(rests, at_rest, kinetic), 0
end

-- The same in two parts, for row k of the joints' friction: |f| <= most where the joint may stick, most < 0 where the
-- numbers mean nothing, and what it is where the joint moves; each is 0 where the other one is not. And b, the
-- acceleration at which the joint sticks.
function RowBounds.split_friction(state, group, k)
  local f, at_rest, rests = friction_of(state, group, k)
  local j, h = group.joints[k], group.period
  local good = friction_means(group, k)
  local function meant(x)
    if not scalar.is_number(f) then x = scalar.select(scalar.lt(f, 0), -1, x) end
    return good == nil and x or scalar.select(good, x, -1)
  end
  if h then return meant(rests and scalar.select(rests, at_rest, f) or f), 0, -(state.qd[j] / h) end
  local kinetic = scalar.select(scalar.lt(state.qd[j], 0), f, -f)
  return meant(scalar.select(rests, at_rest, 0)), scalar.select(rests, 0, kinetic), 0
end

-- A condition, by layout and input: the friction of some joint, or the period of the steps, means nothing.
function RowBounds.bad_friction(row)
  if not RowBounds.of_friction(row) then return false end
  local good = friction_means(row.group, row.k)
  return good ~= nil and scalar.lnot(good)
end

-- Of the joints that motor m moves, how many beside joint j have limits that may push now: those within the margin, and
-- those that stop in time.
local function others_pushing(state, m, j)
  local count, seen, T = 0, {[j] = true}, state.layout.gears.T[m]
  for _, g in ipairs(state.joint_groups) do
    for k, i in ipairs((g.margin or g.side) and g.joints or {}) do
      if not seen[i] and not scalar.is_zero(T[i]) then
        seen[i] = true
        local lower, upper = true, false
        if not g.side then lower, upper = near_limit(state, g, k) end
        count = count + scalar.select(scalar.lor(lower, upper), 1, 0)
      end
    end
  end
  return count
end

-- How far nu of a limit of joint j can be from 0: nil, without a bound, or what its motors have left beside their
-- feed-forward torques tau_m, which the lower limit (side 1) adds to and the upper one (side -1) takes from. Of a joint
-- with a motor of its own that is max(0, effort - side tau_art). A unit of nu is T_mj of each motor m that moves
-- several joints; what this has left is shared by the n_m joints whose limits may push,
--   max(0, effort_m - sgn(side T_mj) tau_m) / (n_m |T_mj|)
-- and the least of all m counts. So a motor is within its limit, whichever of these joints are pushed.
local function room(state, group, j, side)
  local least = group.effort and group.effort[j]
  local tau = state.tau_art[j]
  if least and not scalar.is_zero(tau) then least = scalar.max(0, least - side * tau) end
  for _, m in ipairs(group.effort_at_motors and state.layout.limited or {}) do
    local T, effort = state.layout.gears.T[m], state.layout.motors[m].effort
    if not scalar.is_zero(T[j]) then
      local sign = scalar.value(T[j]) < 0 and -1 or 1
      local given = scalar.sum_of_products(T, state.tau_art)
      local left = scalar.is_zero(given) and effort or scalar.max(0, effort - side * sign * given)
      left = left / ((1 + others_pushing(state, m, j)) * (sign * T[j]))
      least = least and scalar.min(left, least) or left
    end
  end
  return least
end

-- Limits of a joint, within the margin: nu >= 0 at the lower one, with qdd >= b; nu <= 0 at the upper one, with
-- qdd <= b; elsewhere nu = 0.
local function limit_bounds(state, group, k, none)
  local lower, upper, b, slope = near_limit(state, group, k)
  local function unbounded(where, bound)
    return scalar.no_bound(scalar.select(where, bound, 0), none)
  end
  local j = group.joints[k]
  return unbounded(upper, -(room(state, group, j, -1) or none)), unbounded(lower, room(state, group, j, 1) or none), b,
    slope
end

-- The same of joints that stop in time, on one side: nu >= 0 with qdd >= b, or nu <= 0 with qdd <= b.
local function bounds_in_time(state, group, k, none)
  local b, slope = stop_in_time(state, group, k, group.side)
  local lower, j = group.side == "lower", group.joints[k]
  if lower then return 0, room(state, group, j, 1) or none, b, function() return slope end end
  return -(room(state, group, j, -1) or none), 0, b, function() return slope end
end

-- Constant or run-time bounds of row k of a group.
local function given_bounds(group, k, none)
  local function finite(x) return scalar.is_number(x) and math.max(-none, math.min(none, scalar.value(x))) or x end
  return finite(group.lo[k]), finite(group.hi[k])
end

-- lo, hi by row; sets the b of limits, b_slope, a function of how that changes (joint_limits.lua), and of contacts with
-- friction the motion along the surface, sliding. rows: of groups, then along joints.
function RowBounds.of(state, rows)
  local none, lo, hi, contacts = ag.no_bound(state.single), {}, {}, {}
  for j, row in ipairs(rows) do
    local g = row.group
    if g.contact then
      contacts[g] = contacts[g] or {contact_bounds(state, g, rows, none)}
      lo[j], hi[j], row.sliding = contacts[g][1][row.k], contacts[g][2][row.k], contacts[g][3]
    elseif RowBounds.of_friction(row) then
      ag.region("bounds: friction of " .. (row.motor and "motors" or "joints"), "friction")
      lo[j], hi[j], row.b, row.b_slope = friction_bounds(state, g, row.k)
    elseif g.side then
      ag.region("bounds: limits of joints, in time", "limits")
      lo[j], hi[j], row.b, row.b_slope = bounds_in_time(state, g, row.k, none)
    elseif g.margin then
      ag.region("bounds: limits of joints", "limits")
      lo[j], hi[j], row.b, row.b_slope = limit_bounds(state, g, row.k, none)
    elseif g.lo then
      lo[j], hi[j] = given_bounds(g, row.k, none)
    else
      lo[j], hi[j] = -none, none
    end
  end
  return lo, hi
end

-- How the forces of contacts that slide change by q and qd: {q, qd}, each {[row] = by coordinate} of the rows that may
-- slide.
-- With e = v / |v| of the velocity v along the surface, from nu = -mu F e,
--     dnu_k = -mu F / |v| (dv_k - e_k sum_i e_i dv_i)
-- J: J^T A by row, which is how v changes by qd. held: by row, whether the row is in force at all.
function RowBounds.slopes(state, rows, J, held)
  local by, first = {q = {}, qd = {}}, 1 -- of the group's rows
  for _, g in ipairs(state.groups) do
    local s = rows[first] and rows[first].sliding
    if s then
      ag.region("bounds: how friction changes, " .. g.name, g.name)
      local inverse = 1 / scalar.select(s.slides, s.speed, 1)
      local turned, mine, e = RowDerivatives.velocity(state, g), {}, {}
      for k = 1, #g.rows do
        if k ~= s.normal then mine[#mine + 1], e[k] = k, s.v[k] * inverse end
      end
      for _, x in ipairs {"q", "qd"} do
        local function dv(k) return x == "q" and turned[k] or J[first + k - 1] end
        for _, k in ipairs(mine) do by[x][first + k - 1] = {} end
        for c = 1, state.chain.nb + state.chain.nj do
          local faster = 0
          for _, k in ipairs(mine) do faster = faster + e[k] * dv(k)[c] end
          for _, k in ipairs(mine) do
            local change = -(s.along * (dv(k)[c] - e[k] * faster))
            by[x][first + k - 1][c] = scalar.select(scalar.land(s.slides, held[first + k - 1]), change, 0)
          end
        end
      end
    end
    first = first + #g.rows
  end
  return by
end

return RowBounds
