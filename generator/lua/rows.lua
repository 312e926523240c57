-- rows.lua: acceleration constraints: their directions, what they see of a motion, and the system
-- L nu = r that gives the constraint forces.
--
-- A group holds rows on one frame {f} of one body. Row j demands A_j^T (true acceleration of {f}) = b_j;
-- its force is the wrench A_j nu_j on the body, at {f}'s origin, nu > 0 along +A.

local S = require "scalar"
local M = require "spatial"
local K = require "motion"

local R = {}

local axis_of = {lin_x = 1, lin_y = 2, lin_z = 3, ang_x = 4, ang_y = 5, ang_z = 6}
R.axis_of = axis_of

-- The six-vector {lin, ang} in base axes that a group's directions mean: for axes "base" nil, for "input"
-- columns of the run-time rotation, for free rows the run-time directions.
local function direction(group, k, name)
  local zero = M.zero
  if group.free then return group.directions[k] end
  local axis = axis_of[name]
  local unit = (axis - 1) % 3 + 1
  local v
  if group.axes == "input" then
    v = M.column(group.rotation, unit)
  else
    v = {unit == 1 and 1 or 0, unit == 2 and 1 or 0, unit == 3 and 1 or 0}
  end
  if axis <= 3 then return {lin = v, ang = zero} end
  return {lin = zero, ang = v}
end

-- groups: the layout's, with frame = {body, p, R} and for run-time axes rotation or directions.
-- Each row becomes {group, k, name, dir}: dir in base axes, or in {f}'s for axes "link".
function R.list(groups)
  local rows = {}
  for _, g in ipairs(groups) do
    for k, name in ipairs(g.rows) do
      local row = {group = g, k = k, name = name, dir = direction(g, k, name)}
      row.b, row.mask = g.b[k], g.mask and g.mask[k]
      rows[#rows + 1] = row
    end
  end
  return rows
end

-- Row j as the wrench on its body, per unit of nu, about the body's origin in the body's axes.
-- to_body(body, v): from base axes.
function R.wrench(row, to_body)
  local frame = row.group.frame
  local f, m
  if row.group.axes == "link" and not row.group.free then
    f, m = M.mul(frame.R, row.dir.lin), M.mul(frame.R, row.dir.ang)
  else
    f, m = to_body(frame.body, row.dir.lin), to_body(frame.body, row.dir.ang)
  end
  return {f = f, n = M.add(m, M.cross(frame.p, f))}
end

-- The acceleration of a frame {body, p, R}: {lin, ang} in the body's axes, gravity still in it.
--   classical: a + U p;  spatial: that less w x v, v the frame origin's velocity
local function frame_acceleration(frame, m, twist, kind)
  local lin = M.add(m.a, M.mul(m.U, frame.p))
  if kind == "spatial" then
    local v = M.add(twist.v, M.cross(twist.w, frame.p))
    lin = M.sub(lin, M.cross(twist.w, v))
  end
  return {lin = lin, ang = m.wd}
end
R.frame_acceleration = frame_acceleration

-- A_j^T (true acceleration) for the rows of a group, given its frame's acceleration (in the body's axes,
-- -g in it). to_base(body, v), to_body(body, v): axes; gravity in base axes.
function R.seen(group, rows, acceleration, gravity, to_base, to_body)
  local body = group.frame.body
  local seen = {}
  if group.axes == "link" and not group.free then
    local Rt = M.transpose(group.frame.R)
    local lin = M.mul(Rt, M.add(acceleration.lin, to_body(body, gravity)))
    local ang = M.mul(Rt, acceleration.ang)
    for _, row in ipairs(rows) do
      if row.group == group then seen[row.k] = M.dot(row.dir.lin, lin) + M.dot(row.dir.ang, ang) end
    end
  else
    local lin = M.add(to_base(body, acceleration.lin), gravity)
    local ang = to_base(body, acceleration.ang)
    for _, row in ipairs(rows) do
      if row.group == group then seen[row.k] = M.dot(row.dir.lin, lin) + M.dot(row.dir.ang, ang) end
    end
  end
  return seen
end

-- J^T A of one group: for each row of the group the list over joints of S_i^T (row's wrench), without
-- articulation: {[k] = {[i] = ...}}. Three ways to the same numbers, chosen by counting:
--   "tip"   axes of {f}: its rotation T and origin r seen from each body inward;
--           J_lin = T^T (z x r), J_ang = T^T z
--   "base"  axes of the base: z_i and the arm from {i} to {f} outward from poses
--   "wrench" each row's wrench carried inward
function R.jacobian(robot, group, rows, way, to_body, poses)
  local J, mine, chain = {}, {}, robot.chain
  local function put(row, i, value)
    local j = chain.joint_of[i]
    J[row.k][j] = J[row.k][j] + chain.ratio[i] * value
  end
  for _, row in ipairs(rows) do
    if row.group == group then
      mine[#mine + 1] = row
      J[row.k] = {}
      for j = 1, chain.nj do J[row.k][j] = 0 end
    end
  end
  local frame = group.frame
  local linked = group.axes == "link" and not group.free
  local i = frame.body

  if way == "wrench" then
    for _, row in ipairs(mine) do
      local wrench, j = R.wrench(row, to_body), i
      while j > 0 do
        local b = robot.bodies[j]
        ag.region("rows inward: " .. b.link.name .. " -> " .. b.link.joint.name)
        put(row, j, K.along_joint(b, wrench))
        if b.parent > 0 then wrench = K.wrench_to_parent(b, wrench) end
        j = b.parent
      end
    end
    return J
  end

  local tip
  if way == "base" then
    local pose = poses[i]
    tip = M.add(pose.p, M.mul(pose.R, frame.p))
  end
  local T, r = frame.R, frame.p
  while i > 0 do
    local b = robot.bodies[i]
    ag.region("rows: " .. b.link.joint.name .. " seen from " .. group.name)
    local lin, ang
    if way == "tip" then
      if b.prismatic then
        lin, ang = T[3], M.zero
      else
        lin, ang = M.mul_transposed(T, {-r[2], r[1], 0}), T[3]
      end
      -- {f} seen from the parent
      local x, y, z = K.spin(b, M.column(T, 1)), K.spin(b, M.column(T, 2)), K.spin(b, M.column(T, 3))
      T = M.transpose {K.twist(b, x), K.twist(b, y), K.twist(b, z)}
      r = K.twist(b, M.add(K.spin(b, r), K.arm(b)))
      if not linked then error("rows seen along the tip's axes are for axes of the link") end
    else
      local pose = poses[i]
      local axis = M.column(pose.R, 3)
      if b.prismatic then
        lin, ang = axis, M.zero
      else
        lin, ang = M.cross(axis, M.sub(tip, pose.p)), axis
      end
      if linked then
        lin = M.mul_transposed(frame.R, to_body(frame.body, lin))
        ang = M.mul_transposed(frame.R, to_body(frame.body, ang))
      end
    end
    for _, row in ipairs(mine) do
      put(row, i, M.dot(row.dir.lin, lin) + M.dot(row.dir.ang, ang))
    end
    i = b.parent
  end
  return J
end

-- What rounding leaves of L_jj where no joint can move along row j: K_ij is then eps times the robot's
-- reach (angular rows: eps), and D_i at most its mass times the square of the reach. The floor stands far
-- above that, and far below any row that means something: (1e-12)^2 (float (1e-6)^2) over the mass, or over
-- mass times reach^2. It matters where all rows in force are out of reach, so that none is to compare with.
function R.floors(rows, mass, reach, single)
  local eps, floors = single and 1e-6 or 1e-12, {}
  local linear = mass > 0 and eps * eps / mass or 0
  local angular = mass > 0 and linear / math.max(reach * reach, 1e-6) or 0
  for j, row in ipairs(rows) do
    if row.group.free then
      floors[j] = math.min(linear, angular)
    else
      floors[j] = axis_of[row.name] <= 3 and linear or angular
    end
  end
  return floors
end

-- L and r of the row system from K, D, u and what the rows see at qdd = 0:
--   L_jk = sum_i K_ij K_ik / D_i,   r_j = b_j - A_j^T a^0 - sum_i K_ij u_i / D_i
-- k: {[j] = {[i] = K_ij}}; inv: 1 / D; target: b - A^T a^0.
function R.gram(k, inv, u, target)
  ag.region("rows: L = K^T D^-1 K and its right side")
  local L, r = {}, {}
  for j = 1, #k do
    local scaled = {}
    for i = 1, #inv do scaled[i] = k[j][i] * inv[i] end
    L[j] = {}
    for l = 1, j do
      local sum = 0
      for i = 1, #inv do sum = sum + scaled[i] * k[l][i] end
      L[j][l] = ag.label(sum, "L" .. j .. "_" .. l)
    end
    r[j] = target[j]
    for i = 1, #inv do r[j] = r[j] - scaled[i] * u[i] end
    ag.label(r[j], "r" .. j)
  end
  return L, r
end

local function in_force(mask) return not mask or S.lnot(S.eq(mask, 0)) end

-- Which rows are in reach: L_jj not below reach_threshold of the largest of the rows in force, nor at
-- rounding's floor. Returns per row the condition, whether a row in force is out of reach, and the largest.
local function reached(diagonal, masks, floors, single)
  local reach_threshold = single and 1e-6 or 1e-12
  local largest = 0
  for j = 1, #diagonal do
    local d = diagonal[j]
    if masks[j] then d = d * masks[j] end
    largest = j == 1 and d or S.max(largest, d)
  end
  local relative = reach_threshold * largest
  local reach, acted = {}, {}
  for j = 1, #diagonal do
    reach[j] = S.lt(S.max(relative, floors[j]), diagonal[j])
    acted[j] = S.land(S.lnot(reach[j]), in_force(masks[j]))
  end
  return reach, acted, largest
end

-- What takes the place of 1 / d_k, d_k the pivot of row k, and the relative pivot; condition: the policy acted.
-- 0 takes the row out: out of reach, dropped, or masked.
local function invert(k, d, Lkk, reach, mask, policy, threshold)
  local low, inverse, pivot = false, 0, 0
  if Lkk ~= 0 then -- otherwise no joint can move along this row at all
    local first = k == 1 -- whose pivot is its diagonal
    pivot = S.select(reach, first and 1 or d / Lkk, 0)
    if policy == "drop" then
      low = S.lt(d, threshold * Lkk)
      inverse = S.select(S.land(reach, S.lnot(low)), 1 / d, 0)
    else
      -- damp: below t L_kk the pivot grows by t L_kk (1 - r_k / t)^2, so 1 / d becomes
      --   t L_kk / (d t L_kk + (t L_kk - d)^2)
      if not first then low = S.lt(d, threshold * Lkk) end
      local tL = threshold * Lkk
      local e = tL - d
      local one = S.select(low, tL, 1)
      inverse = S.select(reach, one / S.select(low, d * tL + e * e, d), 0)
    end
  end
  if mask then -- a masked row has nothing to vanish
    inverse = inverse * mask
    pivot = S.select(S.eq(mask, 0), 1, pivot)
  end
  return inverse, pivot, S.land(S.land(low, reach), in_force(mask))
end

-- L nu = r by L D L^T.
local function factor(L, r, masks, floors, policy, threshold, single)
  local m, diagonal = #r, {}
  for j = 1, m do diagonal[j] = L[j][j] end
  local reach, acted = reached(diagonal, masks, floors, single)
  -- c[j][k] = L_jk - sum_i c[j][i] l[k][i], l = c / d; pivots d
  local c, l, inv, pivot = {}, {}, {}, {}
  for k = 1, m do c[k], l[k] = {}, {} end
  for k = 1, m do
    local d, low = L[k][k]
    for i = 1, k - 1 do d = d - c[k][i] * l[k][i] end
    ag.label(d, "d_" .. k)
    inv[k], pivot[k], low = invert(k, d, L[k][k], reach[k], masks[k], policy, threshold)
    acted[k] = S.lor(acted[k], low)
    for j = k + 1, m do
      local v = L[j][k]
      for i = 1, k - 1 do v = v - c[j][i] * l[k][i] end
      c[j][k] = v
      l[j][k] = v * inv[k]
    end
  end
  -- forward, then back
  local y, nu = {}, {}
  for k = 1, m do
    y[k] = r[k]
    for i = 1, k - 1 do y[k] = y[k] - l[k][i] * y[i] end
  end
  for k = m, 1, -1 do
    nu[k] = y[k] * inv[k]
    for j = k + 1, m do nu[k] = nu[k] - l[j][k] * nu[j] end
  end
  return nu, pivot, acted
end

-- The same pivots and the same nu by Gram and Schmidt on the columns of K, in the inner product of D^-1, L
-- never squared: K = Q C^T with Q^T D^-1 Q = diag(d), so L = C diag(d) C^T. Errors grow with the square root
-- of cond(L) (Bjorck 1967; Higham, Accuracy and Stability, 19.8 and 21), for a tenth more operations at six rows.
local function orthogonalize(k, inv, u, target, masks, floors, policy, threshold, single)
  local m, n = #k, #inv
  ag.region("rows: K = Q C^T, " .. policy)
  local diagonal, q, t = {}, {}, {}
  local function weighted(a) -- D^-1 q_a, and |q_a|^2
    local s, sum = {}, 0
    for i = 1, n do
      s[i] = q[a][i] * inv[i]
      sum = sum + s[i] * q[a][i]
    end
    return s, sum
  end
  for j = 1, m do
    q[j], t[j] = {}, target[j]
    for i = 1, n do q[j][i] = k[j][i] end
    local _, sum = weighted(j)
    diagonal[j] = ag.label(sum, "L" .. j .. "_" .. j)
  end
  local reach, acted = reached(diagonal, masks, floors, single)
  local l, z, pivot, nu = {}, {}, {}, {}
  for j = 1, m do l[j] = {} end
  for a = 1, m do
    local s, d = weighted(a)
    local inverse, low
    inverse, pivot[a], low = invert(a, ag.label(d, "d_" .. a), diagonal[a], reach[a], masks[a], policy, threshold)
    acted[a] = S.lor(acted[a], low)
    local y = t[a]
    for i = 1, n do y = y - s[i] * u[i] end
    z[a] = y * inverse
    for b = a + 1, m do
      local c = 0
      for i = 1, n do c = c + s[i] * q[b][i] end
      l[b][a] = c * inverse
      for i = 1, n do q[b][i] = q[b][i] - l[b][a] * q[a][i] end
      t[b] = t[b] - l[b][a] * t[a]
    end
  end
  for a = m, 1, -1 do
    nu[a] = z[a]
    for b = a + 1, m do nu[a] = nu[a] - l[b][a] * nu[b] end
  end
  return nu, pivot, acted
end

-- The row system L nu = r with the layout's policy on vanishing pivots (DESIGN 4, Rank), from what R.gram takes.
-- masks: per row a scalar or false. floors: what L_jj exceeds when any joint can move along row j (R.floors).
-- Returns nu, per row the relative pivot, and the conditions under which a policy acted.
--
-- The Gram matrix L knows its pivots to rounding times its largest elements. A threshold that lets pivots
-- through which keep less than half of their digits wants better than that.
function R.solve(k, inv, u, target, masks, floors, policy, threshold, single)
  if #k == 0 then return {}, {}, {} end
  local half_the_digits = single and 2.4e-4 or 1.5e-8 -- sqrt of the unit of rounding
  if policy ~= "truncate" and threshold < half_the_digits then
    return orthogonalize(k, inv, u, target, masks, floors, policy, threshold, single)
  end
  local L, r = R.gram(k, inv, u, target)
  ag.region("rows: L nu = r, " .. policy)
  if policy == "truncate" then return R.truncate(L, r, masks, threshold, floors, single) end
  return factor(L, r, masks, floors, policy, threshold, single)
end

-- The pseudo-inverse of L by unrolled cyclic Jacobi; eigenvalues below threshold times the largest are
-- cut. A rotation of the plane p, q by phi, tan 2 phi = 2 a_pq / (a_qq - a_pp), as
--   d = a_qq - a_pp, o = 2 a_pq, t = tan phi = o / (d + sgn(d) sqrt(d^2 + o^2)),
--   cos phi = 1 / sqrt(1 + t^2), sin phi = t cos phi
-- with square roots of numbers in [1, 2] only. Source: Golub, Van Loan, section 8.5.
local sweeps = 6
function R.truncate(L, r, masks, threshold, floors, single)
  local m, diagonal = #r, {}
  for j = 1, m do diagonal[j] = L[j][j] end
  local reach, acted, largest = reached(diagonal, masks, floors, single)
  -- a masked row stands alone with the largest diagonal (1 where there is none): it cuts nothing
  local alone = S.select(S.lt(0, largest), largest, 1)
  local A, V = {}, {}
  for j = 1, m do A[j], V[j] = {}, {} end
  for j = 1, m do
    for k = 1, m do V[j][k] = j == k and 1 or 0 end
    for k = 1, j do
      local v = S.select(S.land(reach[j], reach[k]), L[j][k], 0)
      if masks[j] then v = v * masks[j] end
      if j ~= k then
        if masks[k] then v = v * masks[k] end
      elseif masks[j] then
        v = v + (1 - masks[j]) * alone
      end
      A[j][k], A[k][j] = v, v
    end
  end
  for _ = 1, sweeps do
    for p = 1, m - 1 do
      for q = p + 1, m do R.rotate(A, V, p, q) end
    end
  end
  local top = A[1][1]
  for j = 2, m do top = S.max(top, A[j][j]) end
  local nu, pivot, coefficient, all_kept = {}, {}, {}, true
  for j = 1, m do
    local eigenvalue, projection = A[j][j], 0
    local kept = S.lt(threshold * top, eigenvalue)
    all_kept = S.land(all_kept, kept)
    for k = 1, m do
      local rk = masks[k] and r[k] * masks[k] or r[k]
      projection = projection + V[k][j] * S.select(reach[k], rk, 0)
    end
    coefficient[j] = S.select(kept, projection / S.select(kept, eigenvalue, 1), 0)
    pivot[j] = eigenvalue / S.select(S.lt(0, top), top, 1)
  end
  for k = 1, m do
    nu[k] = 0
    for j = 1, m do nu[k] = nu[k] + V[k][j] * coefficient[j] end
    if masks[k] then nu[k] = S.select(S.eq(masks[k], 0), 0, nu[k]) end
  end
  acted[m + 1] = S.lnot(all_kept)
  return nu, pivot, acted
end

-- One Jacobi rotation: A <- G^T A G with a_pq = 0, V <- V G.
function R.rotate(A, V, p, q)
  local o, d = 2 * A[p][q], A[q][q] - A[p][p]
  if o == 0 then return end
  local ao, ad = S.abs(o), S.abs(d)
  local long, short = S.max(ao, ad), S.min(ao, ad)
  local nothing = S.eq(long, 0)
  local ratio = short / S.select(nothing, 1, long)
  local hyp = long * S.sqrt_1_2(1 + ratio * ratio)
  local den = S.select(S.lt(d, 0), d - hyp, d + hyp)
  local t = o / S.select(nothing, 1, den)
  local c = 1 / S.sqrt_1_2(1 + t * t)
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

return R
