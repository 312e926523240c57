-- SPDX-License-Identifier: MIT
-- constraints.lua: acceleration constraints: their directions, what they see of a motion, and the system
-- L nu = r that gives the constraint forces.
--
-- A group holds rows on one frame {f} of one body. Row j demands A_j^T (true acceleration of {f}) = b_j;
-- its force is the wrench A_j nu_j on the body, at {f}'s origin, nu > 0 along +A.

local scalar = require "scalar"
local spatial = require "spatial"
local motion = require "motion"
local row_steps = require "row_steps"
local Ldl = require "ldl"

local constraints = {}

local axis_of = {lin_x = 1, lin_y = 2, lin_z = 3, ang_x = 4, ang_y = 5, ang_z = 6}
constraints.axis_of = axis_of

-- The six-vector {lin, ang} in base axes that a group's directions mean: for axes "base" nil, for "input"
-- columns of the run-time rotation, for free rows the run-time directions.
local function direction(group, k, name)
  local zero = spatial.zero
  if group.free then return group.directions[k] end
  local axis = axis_of[name]
  local unit = (axis - 1) % 3 + 1
  local v
  if group.axes == "input" then
    v = spatial.column(group.rotation, unit)
  else
    v = spatial.vector {unit == 1 and 1 or 0, unit == 2 and 1 or 0, unit == 3 and 1 or 0}
  end
  if axis <= 3 then return {lin = v, ang = zero} end
  return {lin = zero, ang = v}
end

-- groups: the layout's, with frame = {body, p, R} and for run-time axes rotation or directions.
-- Each row becomes {group, k, name, dir}: dir in base axes, or in {f}'s for axes "link"; of a group on joints
-- {group, k, name, joint}, the row along that joint's axis.
function constraints.list(groups)
  local rows = {}
  for _, g in ipairs(groups) do
    for k, name in ipairs(g.rows) do
      local row = {group = g, k = k, name = name}
      if g.joints then row.joint = g.joints[k] else row.dir = direction(g, k, name) end
      row.b, row.mask, row.compliance = g.b[k], g.mask and g.mask[k], g.compliance and g.compliance[k]
      rows[#rows + 1] = row
    end
  end
  return rows
end

-- Are a group's directions given along the axes of its frame?
function constraints.linked(group) return group.axes == "link" and not group.free end

-- Row j as the wrench on its body, per unit of nu, about the body's origin in the body's axes.
-- to_body(body, v): from base axes.
function constraints.wrench(row, to_body)
  local frame = row.group.frame
  local f, m
  if constraints.linked(row.group) then
    f, m = frame.R * row.dir.lin, frame.R * row.dir.ang
  else
    f, m = to_body(frame.body, row.dir.lin), to_body(frame.body, row.dir.ang)
  end
  return {f = f, n = m + spatial.cross(frame.p, f)}
end

-- The acceleration of a frame {body, p, R}: {lin, ang} in the body's axes, gravity still in it.
--   classical: a + U p;  spatial: that less w x v, v the frame origin's velocity
local function frame_acceleration(frame, m, twist, kind)
  local lin = m.a + m.U * frame.p
  if kind == "spatial" then
    local v = twist.v + spatial.cross(twist.w, frame.p)
    lin = lin - spatial.cross(twist.w, v)
  end
  return {lin = lin, ang = m.wd}
end
constraints.frame_acceleration = frame_acceleration

-- What the rows of a group see of {lin, ang} along their axes: {[k] = ...}.
function constraints.along(group, rows, lin, ang)
  local seen = {}
  for _, row in ipairs(rows) do
    if row.group == group then seen[row.k] = spatial.dot(row.dir.lin, lin) + spatial.dot(row.dir.ang, ang) end
  end
  return seen
end

-- A_j^T (true acceleration) for the rows of a group, given its frame's acceleration (in the body's axes,
-- -g in it). to_base(body, v), to_body(body, v): axes; gravity in base axes.
function constraints.seen(group, rows, acceleration, gravity, to_base, to_body)
  local frame, lin, ang = group.frame
  if constraints.linked(group) then
    lin = spatial.mul_transposed(frame.R, acceleration.lin + to_body(frame.body, gravity))
    ang = spatial.mul_transposed(frame.R, acceleration.ang)
  else
    lin = to_base(frame.body, acceleration.lin) + gravity
    ang = to_base(frame.body, acceleration.ang)
  end
  return constraints.along(group, rows, lin, ang)
end

-- J^T A of one group, of the rows `mine`, all zero so far; put adds what a row is worth along the joint of body i.
local function empty_jacobian(robot, group, rows)
  local J, mine, chain, nb = {}, {}, robot.chain, robot.nb
  for _, row in ipairs(rows) do
    if row.group == group then
      mine[#mine + 1] = row
      J[row.k] = {}
      for c = 1, nb + chain.nj do J[row.k][c] = 0 end
    end
  end
  local function put(row, i, value)
    for _, m in ipairs(motion.moves(chain, i)) do
      J[row.k][nb + m.joint] = J[row.k][nb + m.joint] + m.ratio * value
    end
  end
  return J, mine, put
end

-- Each row's wrench carried inward.
local function along_wrenches(robot, group, rows, from)
  local J, mine, put = empty_jacobian(robot, group, rows)
  for _, row in ipairs(mine) do
    local wrenches = from.wrenches_of(row)
    for i = robot.n, 1, -1 do
      local b, own = robot.bodies[i], wrenches[i]
      if own and i ~= from.stop then
        ag.region("rows inward: " .. b.link.name .. " -> " .. b.link.joint.name, b.link.id)
        put(row, i, motion.along_joint(b, own))
        if b.parent ~= from.stop and (b.parent > 0 or robot.base) then
          motion.put_wrench(wrenches, b.parent, motion.wrench_to_parent(b, own))
        end
      end
    end
    if from.stop ~= 0 and wrenches[0] then
      for c, x in ipairs(motion.along_base(robot.nb, wrenches[0])) do J[row.k][c] = x end
    end
  end
  return J
end

-- What rows see of the freedoms inward of {f}, from the tip: {joint = of body b, base = of a freedom of the
-- base}.
--   J_lin = T^T (v + w x r), J_ang = T^T w
local function from_tip(group, rows)
  local T, r = group.frame.R, group.frame.p
  local see = {}
  function see.joint(b)
    local part
    if b.prismatic then
      part = constraints.along(group, rows, T[3], spatial.zero)
    else
      part = constraints.along(group, rows, spatial.mul_transposed(T, {-r[2], r[1], 0}), T[3])
    end
    -- {f} seen from the parent
    local x, y = motion.spin(b, spatial.column(T, 1)), motion.spin(b, spatial.column(T, 2))
    local z = motion.spin(b, spatial.column(T, 3))
    T = spatial.transpose {motion.twist(b, x), motion.twist(b, y), motion.twist(b, z)}
    r = motion.twist(b, motion.spin(b, r) + motion.arm(b))
    return part
  end
  function see.base(t)
    local v = t.v + spatial.cross(t.w, r)
    return constraints.along(group, rows, spatial.mul_transposed(T, v), spatial.mul_transposed(T, t.w))
  end
  return see
end

-- The same along the axes of the base: of a joint's axis z through its origin, J_lin = z x (tip - origin), J_ang = z.
local function from_base(group, rows, from)
  local frame, poses, to_body = group.frame, from.poses, from.to_body
  local pose = poses[frame.body]
  local tip = pose.p + pose.R * frame.p
  -- rows of a freedom that moves {f}'s origin by lin and turns it by ang, along the axes of the base
  local function seen(lin, ang)
    if constraints.linked(group) then
      lin = spatial.mul_transposed(frame.R, to_body(frame.body, lin))
      ang = spatial.mul_transposed(frame.R, to_body(frame.body, ang))
    end
    return constraints.along(group, rows, lin, ang)
  end
  local see = {}
  function see.joint(b, i)
    local axis = spatial.column(poses[i].R, 3)
    if b.prismatic then return seen(axis, spatial.zero) end
    return seen(spatial.cross(axis, tip - poses[i].p), axis)
  end
  function see.base(t)
    local v, w = poses[0].R * t.v, poses[0].R * t.w
    return seen(v + spatial.cross(w, tip), w)
  end
  return see
end

-- J^T A of one group: for each row of the group the list over coordinates of S_i^T (row's wrench), without
-- articulation: {[k] = {[i] = ...}}. Three ways to the same numbers, chosen by counting:
--   "tip"   axes of {f}: its rotation T and origin r seen from each body inward;
--           J_lin = T^T (v + w x r), J_ang = T^T w for a joint's unit twist {w, v}
--   "base"  axes of the base: the joints' axes and the arms from them to {f} outward from poses
--   "wrench" each row's wrench carried inward
-- from: of "base" {to_body, poses}; of "wrench" {wrenches_of, stop}: wrenches_of(row) is {[body] = wrench}, stop the
-- body where they cancel (ties), nil: none.
function constraints.jacobian(robot, group, rows, way, from)
  if way == "wrench" then return along_wrenches(robot, group, rows, from) end
  if way == "tip" and not constraints.linked(group) then
    error("rows seen along the tip's axes are for axes of the link")
  end
  local J, mine, put = empty_jacobian(robot, group, rows)
  local see = way == "base" and from_base(group, mine, from) or from_tip(group, mine)
  local i = group.frame.body
  while i > 0 do
    local b = robot.bodies[i]
    ag.region("rows: effect of " .. b.link.joint.name .. " on " .. group.name, group.name)
    local part = see.joint(b, i)
    for _, row in ipairs(mine) do
      ag.hint({part[row.k]}, {"J_" .. row.name .. "_" .. (robot.chain.joint_of[i] or b.link.joint.id)})
      put(row, i, part[row.k])
    end
    i = b.parent
  end
  for c, t in ipairs(motion.base_freedoms(robot.nb)) do
    ag.region("rows: effect of the base on " .. group.name, group.name)
    local part = see.base(t)
    for _, row in ipairs(mine) do J[row.k][c] = part[row.k] end
  end
  return J
end

-- How far a row can be from the axis of each freedom: {[c] = metres}, at most; and {[c] = how it turns the frame}.
-- Freedoms that slide move the frame by 1 and do not turn it. Sliding joints go as far as their limits.
local function levers(chain, frame)
  local arm, turn = {}, {}
  for c = 1, chain.nb + chain.nj do arm[c], turn[c] = 0, 0 end
  local function length(x, y, z) return math.sqrt(scalar.value(x * x + y * y + z * z)) end
  local i, at, far = frame.body, frame.p, 0 -- the frame is within `far` of the point `at` of body i
  while i > 0 do
    local b = chain.bodies[i]
    for _, m in ipairs(motion.moves(chain, i)) do -- ratios of linkages, which are no constants, count as 1
      local c, ratio = chain.nb + m.joint, scalar.is_number(m.ratio) and math.abs(scalar.value(m.ratio)) or 1
      arm[c] = arm[c] + ratio * (b.prismatic and 1 or length(at[1], at[2], 0) + far)
      turn[c] = turn[c] + (b.prismatic and 0 or ratio)
    end
    far = far + length(at[1], at[2], at[3])
    if b.prismatic then
      far = far + math.max(math.abs(b.link.joint.lower or 1), math.abs(b.link.joint.upper or 1))
    end
    i, at = b.parent, b.p
  end
  for c, t in ipairs(motion.base_freedoms(chain.nb)) do
    local turns = t.w[1] ~= 0 or t.w[2] ~= 0 or t.w[3] ~= 0
    arm[c], turn[c] = turns and length(at[1], at[2], at[3]) + far or 1, turns and 1 or 0
  end
  return arm, turn, length(at[1], at[2], at[3]) + far
end

-- What L_jj is judged against, by row: the magnitudes of its own terms added up,
--   sum_i w_ij^2 / D_i,  |K_ij| <= w_ij: the row's lever about freedom i, or how far that turns it,
-- times `threshold`. Terms that are zero by structure are none. A lever counts for no less than sqrt(threshold) of
-- the robot's reach: what rounding leaves of one that is none must not make a row.
function constraints.scales(chain, rows, k, inv, threshold)
  ag.region("rows: those along which no joint can move", "rows")
  -- A direction given at run time can be so long that L_jj overflows: then the row could not be met either.
  local of_group, made, scales = {}, {}, {most = {}}
  local largest = threshold > 1e-9 and 1e38 or 1e300 -- of float, of double
  local function squares(list, k_j, least)
    local pattern, sum, rounded = {}, 0, true
    for i = 1, #inv do rounded = rounded and (scalar.is_zero(k_j[i]) or list[i] == 0) end
    for i = 1, #inv do
      -- where all levers are 0, K that is not 0 to the letter is rounding
      local counts = not scalar.is_zero(k_j[i]) and (list[i] > 0 or rounded)
      pattern[i] = counts and threshold * math.max(list[i], least) ^ 2 or 0
    end
    local key = table.concat(pattern, " ")
    if not made[key] then
      for i = 1, #inv do
        sum = sum + scalar.share(pattern[i], inv[i], "reach_share",
          "of 1 / D: what a joint must at least give to L_jj, for its lever to count: " .. threshold .. " lever^2")
      end
      made[key] = sum
      ag.hint({sum}, {"least"})
    end
    return made[key]
  end
  for j, row in ipairs(rows) do
    local g = row.group
    if g.free or g.axes == "input" then scales.most[j] = largest end
    if row.joint or row.along then
      scales[j] = 0 -- joints or motors themselves move along it
      goto continue
    end
    if not of_group[g] then
      local arm, turn = levers(chain, g.frame)
      if g.to then
        local arm_to, turn_to = levers(chain, g.to)
        for c = 1, #arm do arm[c], turn[c] = math.max(arm[c], arm_to[c]), math.max(turn[c], turn_to[c]) end
      end
      of_group[g] = {arm = arm, turn = turn}
    end
    local least = math.sqrt(threshold)
    local linear = function() return squares(of_group[g].arm, k[j], least * chain.reach) end
    local angular = function() return squares(of_group[g].turn, k[j], least) end
    if g.free then
      scales[j] = spatial.dot(row.dir.lin, row.dir.lin) * linear() + spatial.dot(row.dir.ang, row.dir.ang) * angular()
    else
      scales[j] = axis_of[row.name] <= 3 and linear() or angular()
    end
    ::continue::
  end
  return scales
end

-- r_j = target_j - scaled_j . u of one row. shared: row_steps.shared_freedoms.
function constraints.right_side(j, scaled, u, target, shared)
  local by = {row = j, shared = shared, what = "right side"}
  return ag.label(row_steps.less_products(target, scaled, u, by), "r" .. j)
end

-- L of the row system from K and D, and of every row K^T D^-1:
--   L_jk = sum_i K_ij K_ik / D_i,   r_j = b_j - A_j^T a^0 - sum_i K_ij u_i / D_i
-- k: {[j] = {[i] = K_ij}}; inv: 1 / D; target: b - A^T a^0. r is made here for the order of statements only: it is
-- used up where K is at hand; whoever solves for u and target gets the same nodes again.
function constraints.gram(k, inv, u, target)
  ag.region("rows: L = K^T D^-1 K and its right side", "rows")
  local L, scaled, shared = {}, {}, row_steps.shared_freedoms(k)
  for j = 1, #k do
    L[j], scaled[j] = {}, {}
    for i = 1, #inv do
      scaled[j][i] = k[j][i] * inv[i]
      ag.hint({scaled[j][i]}, {"KD" .. j .. "_" .. i})
    end
    for l = 1, j do
      if shared then row_steps.of_block(j, l, "L = K^T D^-1 K") end
      local sum = 0
      for i = 1, #inv do sum = sum + scaled[j][i] * k[l][i] end
      L[j][l] = ag.label(sum, shared and "L" .. l or "L" .. j .. "_" .. l, shared ~= nil)
    end
    constraints.right_side(j, scaled[j], u, target[j], shared)
  end
  return L, scaled
end

local function in_force(mask) return not mask or scalar.lnot(scalar.eq(mask, 0)) end

-- A row that yields asks for b on top of what the artificial wrenches alone would cause, A^T a = K^T D^-1 u of
-- them (Schneider, Bruyninckx 2019). One with weights lets a part of other drivers pass, too (drivers.lua). Adds that
-- to target, and returns it by row; u_art: u of the artificial wrenches alone, passing(row): of what passes, or nil;
-- made where needed.
function constraints.pass(rows, k, inv, target, u_art, passing)
  local added = {}
  for j, row in ipairs(rows) do
    added[j] = 0
    local u = row.group.yields and u_art() or row.group.weights and passing(row)
    if u then
      for i = 1, #u do added[j] = added[j] + (k[j][i] * inv[i]) * u[i] end
      target[j] = target[j] + added[j]
    end
  end
  return added
end

-- A row whose L_jj is below this of its own scale is out of reach: no joint can move along it.
function constraints.reach_threshold(single) return single and 1e-6 or 1e-12 end

-- Which rows are in reach: L_jj above the row's scale (constraints.scales); with motors (motors.lua) also what they
-- leave of it, left. Returns per row the condition, and whether the row is in force but out of reach.
local function reached(diagonal, masks, scales, left, motors)
  local reach, acted = {}, {}
  for j = 1, #diagonal do
    reach[j] = scalar.lt(scales[j], diagonal[j])
    scalar.limit(reach[j], scales[j], "least_reach",
      "a row whose L_jj is no more is out of reach: no joint moves along it")
    if motors and motors.answers[j] then
      reach[j] = scalar.land(reach[j], scalar.above_share(motors.least, diagonal[j], left[j], "motors_share",
        "motors reach a row where they leave more than this share of its L_jj"))
    end
    if scales.most[j] then
      local short = scalar.limit(scalar.lt(diagonal[j], scales.most[j]), scales.most[j], "overflow",
        "along a direction so long that L_jj is this, no row can be met")
      reach[j] = scalar.land(reach[j], short)
    end
    acted[j] = scalar.land(scalar.lnot(reach[j]), in_force(masks[j]))
    ag.hint({reach[j], acted[j]}, {"reach" .. j, "acted" .. j})
  end
  return reach, acted
end
constraints.reached = reached

local dependent = "a relative pivot below this is that of rows all but dependent, or out of reach"

local function below(p, t) return scalar.limit(scalar.lt(p, t), t, "singular_threshold", dependent) end

-- What takes the place of 1 / d_k, d_k the pivot of row k; the relative pivot p = d / L_kk, 0 of a row out of reach, 1
-- of a masked one; whether that is below the threshold t; and what d grows by. An inverse of 0 takes the row out: out
-- of reach, dropped, or masked.
-- whole: d may be the diagonal itself, which the pivot of the first row is.
local function invert(system, k, d, Lkk, reach, whole)
  local t, mask = system.threshold, system.masks[k]
  if scalar.is_zero(Lkk) then -- no joint can move along this row at all
    return 0, mask and scalar.select(scalar.eq(mask, 0), 1, 0) or 0, in_force(mask), 0
  end
  local own, grown = scalar.select(reach, scalar.divide(1, Lkk), 0), 0
  local pivot, inverse = d * own, nil
  if k == 1 and whole then
    pivot, inverse = scalar.select(reach, 1, 0), own
  elseif system.policy == "drop" then
    inverse = scalar.select(below(pivot, t), 0, scalar.divide(1, d))
  else
    -- damp: below t the pivot grows by t L_kk (1 - p / t)^2 = (t L_kk - d)^2 / (t L_kk)
    local least = scalar.share(t, Lkk, "singular_threshold", dependent)
    local lacks = least - d
    -- out of reach: 0 / 0
    grown = scalar.select(scalar.land(reach, below(pivot, t)), scalar.divide(lacks * lacks, least), 0)
    inverse = scalar.select(reach, scalar.divide(1, d + grown), 0)
    ag.hint({pivot, least, lacks, grown}, {"share" .. k, "limit" .. k, "lacks" .. k, "grown" .. k})
  end
  if mask then -- a masked row has nothing to vanish
    inverse = inverse * mask
    pivot = scalar.select(scalar.eq(mask, 0), 1, pivot)
  end
  ag.hint({inverse, pivot}, {"inverse" .. k, "pivot" .. k})
  return inverse, pivot, below(pivot, t), grown
end

-- Whether small pivots multiply: every one of them may be above the threshold, and their product so small that rounding
-- changes the accelerations by more than 1e-8 (refined, or orthogonal columns), measured against quad precision. Of
-- many rows only small pivots count: many of 0.1 do no harm. Products by the solve; {double, float}.
local products = {refined = {1e-12, 1e-12}, orthogonal = {1e-14, 1e-12}, plain = {1e-8, 1e-6}}
local many, counts_of_many = 6, 1e-3 -- rows; pivots
local function multiplied(pivot, way, single)
  local product, all = 1, #pivot <= many and way ~= "plain"
  for k = 1, #pivot do
    local small = all or scalar.limit(scalar.lt(pivot[k], counts_of_many), counts_of_many, "small_pivot",
      "of many rows, only relative pivots below this multiply to least_product")
    product = product * (all and pivot[k] or scalar.select(small, pivot[k], 1))
  end
  local least = products[way][single and 2 or 1]
  return #pivot > 1 and scalar.limit(scalar.lt(product, least), least, "least_product",
    "SINGULAR below: relative pivots, none of them too small alone, whose product leaves few digits")
end

local function least_of(list)
  local least = list[1]
  for k = 2, #list do least = scalar.min(least, list[k]) end
  return least
end

-- Of the relative pivots: the least, and whether it, or what they multiply to, is too small.
local function judged(system, pivot, way)
  local least = least_of(pivot)
  return least, scalar.lor(below(least, system.threshold), multiplied(pivot, way, system.single))
end

-- Whether one refinement is too little for the digits that are promised. It multiplies the error of nu by about the
-- part of nu that it adds, so that is at most the root of the error that is left. Sizes are of acceleration energies,
-- which rows of all units have; where hardly any force is needed, those of each row's target alone.
--   sum L_jj added_j^2 > limit sum (L_jj nu_j^2 + target_j^2 / L_jj)
local most_added = 2.5e-5 -- of float
local function coarse(nu, added, target, diagonal)
  local changed, whole = 0, 0
  for j = 1, #nu do
    if not scalar.is_zero(diagonal[j]) then
      local own = scalar.select(scalar.lt(0, diagonal[j]), diagonal[j], 1)
      changed = changed + (diagonal[j] * added[j]) * added[j]
      whole = whole + (diagonal[j] * nu[j]) * nu[j] + (target[j] * target[j]) / own
    end
  end
  return scalar.limit(scalar.lt(most_added * whole, changed), most_added, "most_added",
    "SINGULAR above: the square of what refinement adds to the rows' forces, over that of these")
end

-- Soft rows: A^T a - b = -c nu of row j, so L_jj grows by c.
function constraints.soften(L, soft)
  for j = 1, #L do
    if soft[j] then L[j][j] = L[j][j] + soft[j] end
  end
end

-- Of L: the rows' own diagonal, which reach is judged by; what motors leave of it, where only these are to realise the
-- rows; and what pivots are judged against, soft rows' compliance in it. Adds to L what motors take of it, and the
-- compliance.
local function realised(L, soft, motors)
  local own, left, diagonal = {}, {}, {}
  for j = 1, #L do
    own[j] = L[j][j]
    for l = 1, motors and j or 0 do L[j][l] = L[j][l] + motors:grows(j, l) end
    left[j] = L[j][j]
    diagonal[j] = soft[j] and own[j] + soft[j] or own[j]
  end
  constraints.soften(L, soft)
  return own, left, diagonal
end

-- u + K nu; nu_1 is known last (below), and added last.
function constraints.plus_rows(u, k, nu)
  local e, shared = {}, row_steps.shared_freedoms(k)
  for i = 1, #u do
    e[i] = u[i]
    for j = shared and shared[i] and 0 or #k, 1, -1 do e[i] = e[i] + k[j][i] * nu[j] end
  end
  if not shared then return e end
  for j = #k, 1, -1 do -- what several groups move, row by row
    row_steps.begin("rows: u + K nu", j)
    for i = 1, #u do
      if shared[i] then e[i] = e[i] + k[j][i] * nu[j] end
    end
  end
  ag.region("rows: u + K nu", "rows")
  return e
end

-- The freedoms in the order in which u + K nu of them is known: those that fewer rows move come first.
local function by_terms(K)
  local order, terms = {}, {}
  for i = 1, K and #K[1] or 0 do
    order[i], terms[i] = i, 0
    for j = 1, #K do terms[i] = terms[i] + (scalar.is_zero(K[j][i]) and 0 or 1) end
  end
  table.sort(order, function(a, b) return terms[a] < terms[b] or terms[a] == terms[b] and a < b end)
  return order
end

-- L nu = r by L D L^T.
-- K: of rows that are refined, those that motors realise in float only: by what nu leaves of the rows themselves,
-- target - K^T D^-1 (u + K nu), which L, squared, does not know to as many digits (Bjorck 1987, corrected seminormal
-- equations); nil: as L has it.
-- first: {u, target}, what it will be solved for.
local function factor(system, L, scaled, K, first)
  local self = {coarse = false}
  local m, soft, policy, motors = #L, system.soft, system.policy, system.motors
  local own, left, diagonal = realised(L, soft, motors)
  local reach, acted = reached(own, system.masks, system.scales, left, motors)
  local shared = row_steps.shared_freedoms(system.k)
  local function right_sides(u, target)
    local r = {}
    for k = 1, m do r[k] = constraints.right_side(k, scaled[k], u, target[k], shared) end
    return r
  end
  local pivot, damped, grown = {}, false, {}
  local ldl = Ldl.new(L, function(k, d)
    local inverse
    inverse, pivot[k], acted[k], grown[k] = invert(system, k, d, diagonal[k], reach[k], not motors)
    damped = scalar.lor(damped, scalar.land(reach[k], policy == "damp" and acted[k]))
    return inverse
  end, shared and right_sides(first.u, first.target))
  local latest_last = by_terms(K)
  -- once: not refined, as columns of derivatives, which are many and need fewer digits
  local function solve(u, target, once)
    local left, nu = {}, ldl:solve(right_sides(u, target))
    if not K or once then return nu end
    ag.region("rows: nu refined by what it leaves of the rows", "rows")
    local moved = constraints.plus_rows(u, K, nu)
    for j = 1, m do
      left[j] = target[j] - (soft[j] and soft[j] + grown[j] or grown[j]) * nu[j]
      local by = {row = j, order = latest_last, shared = shared, what = "what nu leaves"}
      left[j] = row_steps.less_products(left[j], scaled[j], moved, by)
    end
    if motors then motors:take(left, nu) end
    local added = ldl:solve(left)
    if motors then self.coarse = scalar.lor(self.coarse, coarse(nu, added, target, diagonal)) end
    for j = 1, m do nu[j] = nu[j] + added[j] end
    return nu
  end
  self.solve, self.pivot, self.acted, self.damped, self.diagonal = solve, pivot, acted, damped, diagonal
  self.least, self.singular = judged(system, pivot, K and "refined" or "plain")
  return self
end

-- The solve of `orthogonalize`. x: {q, s = D^-1 q, l, inverse, inv, own: of soft rows, freedoms, n, damped}.
local function solve_by_columns(system, x)
  local k, soft, q, s, l, inverse, inv = system.k, system.soft, x.q, x.s, x.l, x.inverse, x.inv
  local m, n, freedoms = #k, x.n, x.freedoms
  -- z = d^-1 (C^-1 target - Q^T D^-1 e)
  local function along(e, target)
    local t, z = table.move(target, 1, m, 1, {}), {}
    for a = 1, m do
      local y = t[a]
      for i = 1, #e do y = y - s[a][i] * e[i] end
      z[a] = y * inverse[a]
      for b = a + 1, m do t[b] = t[b] - l[b][a] * t[a] end
    end
    return z
  end
  local function plus(e, z) -- e + Q z
    local moved = {}
    for i = 1, n do
      moved[i] = e[i] or 0
      for a = 1, m do moved[i] = moved[i] + q[a][i] * z[a] end
    end
    return moved
  end
  -- What e leaves of the rows: target - K^T D^-1 e.
  local function missing(e, target)
    local left = {}
    for j = 1, m do
      left[j] = target[j]
      for i = 1, freedoms do left[j] = left[j] - (k[j][i] * inv[i]) * e[i] end
      if x.own[j] then left[j] = left[j] - soft[j] * e[x.own[j]] end
    end
    return left
  end
  -- once: not refined. In float e = u + K nu is made as u + Q z, C^T nu = z, and what it leaves of the rows is met as
  -- well: a joint as light as 1e-6 kg m^2 needs 1e-9 N m of nu's sums to 3 digits, which K nu of floats does not have.
  -- Damped rows leave what they are damped by.
  local refined = system.single and m > 1 and not system.plain
  return function(u, target, once)
    local nu, moved = along(u, target), nil
    if refined and not once then
      ag.region("rows: u + K nu refined by what it leaves of the rows", "rows")
      moved = plus(u, nu)
      local z = along({}, missing(moved, target))
      for a = 1, m do z[a] = scalar.select(x.damped, 0, z[a]) end
      moved = table.move(plus(moved, z), 1, freedoms, 1, {})
      for a = 1, m do nu[a] = nu[a] + z[a] end
    end
    moved = moved or table.move(plus(u, nu), 1, freedoms, 1, {})
    for a = m, 1, -1 do
      for b = a + 1, m do nu[a] = nu[a] - l[b][a] * nu[b] end
    end
    return nu, moved
  end
end

-- One more component of the n of all columns, of this weight, which column j alone has; returns how many there are.
local function one_more(q, inv, n, j, weight)
  for a = 1, #q do q[a][n + 1] = a == j and 1 or 0 end
  inv[n + 1] = weight
  return n + 1
end

-- The same pivots and the same nu by Gram and Schmidt on the columns of K, in the inner product of D^-1, L
-- never squared: K = Q C^T with Q^T D^-1 Q = diag(d), so L = C diag(d) C^T. Errors grow with the square root
-- of cond(L) (Bjorck 1967; Higham, Accuracy and Stability, 19.8 and 21), for a tenth more operations at six rows.
-- A soft row's column has one more component, 1, which no other has, and c in the place of 1 / D there.
-- by_squares: what a damped row's pivot grows by is such a compliance, too, for all rows behind: these are damped as by
-- L D L^T.
local function orthogonalize(system, by_squares)
  local k, soft, policy, freedoms = system.k, system.soft, system.policy, #system.inv
  local m, n = #k, freedoms
  local inv = table.move(system.inv, 1, n, 1, {})
  ag.region("rows: solve for nu by K = Q C^T, policy " .. policy, "rows")
  local diagonal, q = {}, {}
  local function weighted(a) -- D^-1 q_a, and |q_a|^2
    local s, sum = {}, 0
    for i = 1, n do
      s[i] = q[a][i] * inv[i]
      sum = sum + s[i] * q[a][i]
    end
    return s, sum
  end
  for j = 1, m do
    q[j] = table.move(k[j], 1, n, 1, {})
    local _, sum = weighted(j)
    diagonal[j] = ag.label(sum, "L" .. j .. "_" .. j)
  end
  local reach, acted = reached(diagonal, system.masks, system.scales)
  local own = {} -- the component of soft row j's column that no other has
  for j = 1, m do
    if soft[j] then
      n, diagonal[j] = one_more(q, inv, n, j, soft[j]), diagonal[j] + soft[j]
      own[j] = n
    end
  end
  local l, s, inverse, pivot, damped = {}, {}, {}, {}, false
  for j = 1, m do l[j] = {} end
  for a = 1, m do
    local d, grown
    s[a], d = weighted(a)
    ag.label(d, "d_" .. a)
    inverse[a], pivot[a], acted[a], grown = invert(system, a, d, diagonal[a], reach[a], true)
    if by_squares and not scalar.is_zero(grown) then
      n = one_more(q, inv, n, a, grown)
      s[a][n] = grown
    end
    damped = scalar.lor(damped, scalar.land(reach[a], policy == "damp" and acted[a]))
    for b = a + 1, m do
      local c = 0
      for i = 1, n do c = c + s[a][i] * q[b][i] end
      l[b][a] = c * inverse[a]
      for i = 1, n do q[b][i] = q[b][i] - l[b][a] * q[a][i] end
    end
  end
  local x = {q = q, s = s, l = l, inverse = inverse, inv = inv, own = own, freedoms = freedoms, n = n, damped = damped}
  local least, singular = judged(system, pivot, "orthogonal")
  return {solve = solve_by_columns(system, x), pivot = pivot, acted = acted, damped = damped, least = least,
    singular = singular}
end

-- The row system L nu = r with the layout's policy on vanishing pivots. u, target: what it will be solved for. system:
--   k, inv     as constraints.gram takes them
--   masks      per row a scalar or false
--   soft       per row its compliance, or false
--   scales     what L_jj exceeds where any joint can move along row j (constraints.scales)
--   policy, threshold  on vanishing pivots: "damp", "drop" or "truncate", below this part of the row's own scale
--   single     the code is for float
--   motors     nil, or of motors.lua
--   plain      not refined, as where it is solved for many right sides
-- Returns {pivot = the relative pivots per row, least = the least of them; acted = the conditions under which a policy
-- acted, by row, or a row is out of reach; singular = one of these holds, or small pivots multiply; solve = nu of
-- (u, target) and, where it is known better or earlier than by nu, u + K nu; damped = the condition that forces of rows
-- in the system are not those that L asks for; of a system of squares also diagonal = L_jj; coarse = with motors in
-- float, the condition that some solve so far kept too few digits},
-- with r_j = target_j - sum_i K_ij u_i / D_i.
--
-- The Gram matrix L knows its pivots to rounding times its largest elements. A threshold that lets pivots
-- through which keep less than half of their digits wants better than that. So do few rows: for as many digits as L
-- gives when nu is refined they take fewer operations by columns, which wait less for each other.
local few = 4
function constraints.system(system, u, target)
  local k, policy, motors = system.k, system.policy, system.motors
  if #k == 0 then
    return {solve = function() return {} end, pivot = {}, acted = {}, damped = false, singular = false}
  end
  if row_steps.are_many(#k) then system.inv = row_steps.hold_system(k, system.inv) end
  local half_the_digits = system.single and 2.4e-4 or 1.5e-8 -- sqrt of the unit of rounding
  local refined = #k > 1 and (system.single or not motors) and not system.plain
  local close = system.threshold < half_the_digits
  local by_columns = close or refined and #k <= few and not system.single
  if policy ~= "truncate" and by_columns and not motors then return orthogonalize(system, not close) end
  local L, scaled = constraints.gram(k, system.inv, u, target)
  ag.region("rows: solve L nu = r, policy " .. policy, "rows")
  if policy == "truncate" then return constraints.truncate(system, L, scaled) end
  return factor(system, L, scaled, refined and k or nil, {u = u, target = target})
end

-- The pseudo-inverse of L by unrolled cyclic Jacobi; eigenvalues below threshold times the largest are
-- cut. A rotation of the plane p, q by phi, tan 2 phi = 2 a_pq / (a_qq - a_pp), as
--   d = a_qq - a_pp, o = 2 a_pq, t = tan phi = o / (d + sgn(d) sqrt(d^2 + o^2)),
--   cos phi = 1 / sqrt(1 + t^2), sin phi = t cos phi
-- with square roots of numbers in [1, 2] only. Source: Golub, Van Loan, section 8.5.
local function sweeps(m) return m <= 6 and 6 or 8 end
function constraints.truncate(system, L, scaled)
  local m, masks, motors = #L, system.masks, system.motors
  local own, left, diagonal = realised(L, system.soft, motors)
  local reach, acted = reached(own, masks, system.scales, left, motors)
  local largest = 0
  for j = 1, m do
    local d = masks[j] and L[j][j] * masks[j] or L[j][j] -- of what motors do, where only these act
    if motors then d = scalar.select(reach[j], d, 0) end
    largest = j == 1 and d or scalar.max(largest, d)
  end
  -- a masked row stands alone with the largest diagonal (1 where there is none): it cuts nothing
  local alone = scalar.select(scalar.lt(0, largest), largest, 1)
  local A, V = {}, {}
  for j = 1, m do A[j], V[j] = {}, {} end
  for j = 1, m do
    for k = 1, m do V[j][k] = j == k and 1 or 0 end
    for k = 1, j do
      local v = scalar.select(scalar.land(reach[j], reach[k]), L[j][k], 0)
      if masks[j] then v = v * masks[j] end
      if j ~= k then
        if masks[k] then v = v * masks[k] end
      elseif masks[j] then
        v = v + (1 - masks[j]) * alone
      end
      A[j][k], A[k][j] = v, v
    end
  end
  for _ = 1, sweeps(m) do
    for p = 1, m - 1 do
      for q = p + 1, m do constraints.rotate(A, V, p, q) end
    end
  end
  local top = A[1][1]
  for j = 2, m do top = scalar.max(top, A[j][j]) end
  local kept, pivot, all_kept = {}, {}, true
  for j = 1, m do
    kept[j] = scalar.above_share(system.threshold, top, A[j][j], "singular_threshold",
      "an eigenvalue of L up to this share of the largest is cut off")
    all_kept = scalar.land(all_kept, kept[j])
    pivot[j] = A[j][j] / scalar.select(scalar.lt(0, top), top, 1)
  end
  acted[m + 1] = scalar.lnot(all_kept)
  local function solve(u, target)
    local r, coefficient, nu = {}, {}, {}
    for j = 1, m do r[j] = constraints.right_side(j, scaled[j], u, target[j]) end
    for j = 1, m do
      local projection = 0
      for k = 1, m do
        local rk = masks[k] and r[k] * masks[k] or r[k]
        projection = projection + V[k][j] * scalar.select(reach[k], rk, 0)
      end
      coefficient[j] = scalar.select(kept[j], scalar.divide(projection, scalar.select(kept[j], A[j][j], 1)), 0)
    end
    for k = 1, m do
      nu[k] = 0
      for j = 1, m do nu[k] = nu[k] + V[k][j] * coefficient[j] end
      if masks[k] then nu[k] = scalar.select(scalar.eq(masks[k], 0), 0, nu[k]) end
    end
    return nu
  end
  return {solve = solve, pivot = pivot, least = least_of(pivot), acted = acted, singular = scalar.any(acted),
    damped = scalar.lnot(all_kept), diagonal = diagonal}
end

-- One Jacobi rotation: A <- G^T A G with a_pq = 0, V <- V G.
function constraints.rotate(A, V, p, q)
  local o, d = 2 * A[p][q], A[q][q] - A[p][p]
  if scalar.is_zero(o) then return end
  local ao, ad = scalar.abs(o), scalar.abs(d)
  local long, short = scalar.max(ao, ad), scalar.min(ao, ad)
  local nothing = scalar.eq(long, 0)
  local ratio = short / scalar.select(nothing, 1, long)
  local hyp = long * scalar.sqrt_1_2(1 + ratio * ratio)
  local den = scalar.select(scalar.lt(d, 0), d - hyp, d + hyp)
  local t = o / scalar.select(nothing, 1, den)
  local c = 1 / scalar.sqrt_1_2(1 + t * t)
  local s = t * c
  -- a_pp' = a_pp - t a_pq, a_qq' = a_qq + t a_pq
  local h = t * A[p][q]
  A[p][p], A[q][q] = A[p][p] - h, A[q][q] + h
  A[p][q], A[q][p] = 0, 0
  for k = 1, #A do
    if k ~= p and k ~= q then
      local x, y = A[k][p], A[k][q]
      A[k][p], A[k][q] = c * x - s * y, s * x + c * y
      A[p][k], A[q][k] = A[k][p], A[k][q]
    end
    local x, y = V[k][p], V[k][q]
    V[k][p], V[k][q] = c * x - s * y, s * x + c * y
  end
end

-- By freedom, the square of the most that the coefficient of a row can be. Where a point is on the axis of a joint, or
-- near it, rounding of its place is no lever; it grows with how far that is from the base: so far it counts as away.
function constraints.lever_squares(chain, row)
  local g, squares = row.group, {}
  for c = 1, chain.nb + chain.nj do squares[c] = row.joint and c == chain.nb + row.joint and 1 or 0 end
  for j, x in ipairs(row.along or {}) do squares[chain.nb + j] = scalar.is_zero(x) and 0 or x * x end
  if row.joint or row.along then return squares end
  local arm, turn, away = levers(chain, g.frame)
  local arm_to, turn_to, away_to = {}, {}, 0
  if g.to then arm_to, turn_to, away_to = levers(chain, g.to) end
  local least = math.max(away, away_to) ^ 2
  local lin, ang = nil, nil
  if g.free then lin, ang = spatial.dot(row.dir.lin, row.dir.lin), spatial.dot(row.dir.ang, row.dir.ang) end
  for c = 1, #squares do
    local far, turned = math.max(arm[c], arm_to[c] or 0) ^ 2, math.max(turn[c], turn_to[c] or 0) ^ 2
    if turned > 0 then far = math.max(far, least) end
    if g.free then
      squares[c] = lin * far + ang * turned
    else
      squares[c] = axis_of[row.name] <= 3 and far or turned
    end
  end
  return squares
end

return constraints
