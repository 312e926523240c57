-- bound.lua: how far computed accelerations can be from those that solve the equations exactly, in the numbers of the
-- call itself.
--
-- The computed qdd and nu, put into the equations of motion and of the rows, leave
--     r1 = tau + J^T A nu - ID(qdd)  by coordinate,      r2 = b - A^T a  by row.
-- The exact accelerations are qdd + d with  M d - J^T l = r1,  J d = r2,  so
--     d = G r1 + H r2,   H = M^-1 J^T (J M^-1 J^T)^-1,   G = M^-1 - H J M^-1.
-- r1 and r2 are computed with the same rounding as all else: what is computed of them is off by e1 and e2 at most, units
-- of rounding u times sizes of the terms (Higham, Accuracy and Stability, 3.1). Then
--     |d| <= x = |G| (|r1| + e1) + |H| (|r2| + e2),
-- but for the errors of G and H themselves, which those of M (at most c u s s^T, s_i^2 the most that coordinate i can
-- feel of inertia) and of J (c u times levers) make: T, that takes x to what these add to it. |d| <= x + T |d|; so where
-- T x <= x / 2, |d| <= x + 4 T x, elsewhere nothing is known. (Rump, Verification methods, Acta Numerica 2010, 10.)
--
-- Errors are followed by vectors: e.w bounds the Euclidean length of the error of w, in units of u. A rotation keeps
-- lengths, so a chain of joints adds errors up and does not let them grow, which bounds by components would.

local scalar = require "scalar"
local spatial = require "spatial"
local motion = require "motion"
local constraints = require "constraints"

local Bound = {}
Bound.__index = Bound

-- Errors of one rotation of a vector, in u times its length: of a spin, whose sine and cosine are off by u at most
-- each (2 u of their size, sincos.h), one product and one sum per component: 2 + 1 + sqrt 2; of a constant one, 1 in
-- place of 2; of a product with a 3 x 3 matrix, three products and two sums: 3 sqrt 3.
local spin_error, constant_error, matrix_error = 4.5, 3.5, 5.2
-- Errors of a rotation from a quaternion: its elements take 8 roundings of numbers up to 2.
local quaternion_error = 30

local function length(v) return math.sqrt(scalar.value(v[1] * v[1] + v[2] * v[2] + v[3] * v[3])) end
local function count(v)
  local n = 0
  for k = 1, 3 do n = n + (scalar.is_zero(v[k]) and 0 or 1) end
  return n
end

-- At least the length of a vector, for few operations: the sum of the magnitudes.
local function size(v) return scalar.abs(v[1]) + scalar.abs(v[2]) + scalar.abs(v[3]) end

local function right_angle(c, s) return scalar.is_zero(c) or scalar.is_zero(s) end

-- What turning a vector from a body's axes to its parent's, or back, adds to its error, per unit of its length.
local function turning(b)
  local k = right_angle(b.ca, b.sa) and 0 or constant_error
  if not right_angle(b.cg, b.sg) then k = k + constant_error end
  if b.prismatic then return right_angle(b.ct, b.st) and k or k + constant_error end
  -- c and s of a constant angle and the joint's are products and sums themselves
  return k + (right_angle(b.ct, b.st) and spin_error or spin_error + constant_error)
end

-- Of an inertia {m, h, I} of constants: its mass, the lengths of h and of the second moments, and how many components of
-- h there are.
local function measure(inertia)
  local S = spatial.second_moments(inertia.I)
  local x = {}
  for k = 1, 6 do x[k] = scalar.value(S[k]) end
  return {
    m = scalar.value(inertia.m), h = length(inertia.h), terms = count(inertia.h),
    S = math.sqrt(x[1] ^ 2 + x[4] ^ 2 + x[6] ^ 2 + 2 * (x[2] ^ 2 + x[3] ^ 2 + x[5] ^ 2)),
  }
end

-- Of state's robot. turned[i]: what turning a vector from the base's axes (moving base: the world's) to body i's adds.
function Bound.new(state)
  local self = setmetatable({state = state, robot = state.robot, turn = {}, turned = {[0] = 0}}, Bound)
  local base = state.base
  self.base_error = not base and 0 or base.quat and quaternion_error or base.yaw and spin_error or 0
  self.turned[0] = base and self.base_error + matrix_error or 0
  for i, b in ipairs(self.robot.bodies) do
    self.turn[i] = turning(b)
    local ratio = state.chain.ratio[i]
    if not scalar.is_one(ratio) and not b.prismatic then self.turn[i] = self.turn[i] + 2 * scalar.abs(b.q) end
    -- by products of rotations (State:to_body by poses) columns are off by sqrt 3 times as much
    self.turned[i] = self.turned[b.parent] + 1.8 * self.turn[i]
  end
  for i = 1, self.robot.n do self.turned[i] = self.turned[i] + matrix_error end
  return self
end

-- ---- motion ----

-- Sizes and errors of the motion {w, wd, a, U} of a body, given those of w, wd, a.
local function followed(m, e_w, e_wd, e_a)
  local e = {w = e_w, wd = e_wd, a = e_a, size_w = size(m.w), size_wd = size(m.wd), size_a = size(m.a)}
  -- |U| <= |wd| + |w|^2; its elements: one product and up to three sums
  local ww = e.size_w * e.size_w
  e.size_U = ww + e.size_wd
  e.U = e_wd + 2 * e.size_w * e_w + 4 * ww + 2 * e.size_wd
  return e
end

-- The error of U p for a p of constants, of the given length and number of components.
local function lever_error(e, arm, terms)
  if arm == 0 then return 0 end
  return arm * (e.U + (1.5 * terms + 2) * e.size_U)
end

-- Errors by body of motions that motion.accelerations made for vdot (0: the base).
function Bound:of_motions(motions, vdot)
  local state, robot = self.state, self.robot
  local errors = {}
  do
    local m, e_w, e_a = motions[0], 0, 0
    if state.base then
      e_a = (self.base_error + matrix_error) * size(state.gravity) + size(m.a)
      if state.base.twist and not state.base.yaw then e_w = (self.base_error + matrix_error) * size(m.w) end
    end
    errors[0] = followed(m, e_w, 0, e_a)
  end
  local qdd = motion.per_body(state.chain, vdot, robot.nb)
  for i, b in ipairs(robot.bodies) do
    ag.region("bound: outward, " .. b.link.joint.name .. " -> " .. b.link.name, b.link.id)
    local from, m, k = errors[b.parent], motions[i], self.turn[i]
    local mimics = scalar.is_one(state.chain.ratio[i]) and 0 or 2
    local rate = scalar.abs(b.qd or 0)
    local size_w = size(m.w)
    -- w = E w_p + z qd;  wd = E wd_p + w x z qd + z qdd
    local e_w = from.w + k * from.size_w
    local e_wd = from.wd + k * from.size_wd
    if not b.prismatic then
      e_w = e_w + size_w + mimics * rate
      e_wd = e_wd + rate * (e_w + (2 + mimics) * size_w) + 2 * size(m.wd) + mimics * scalar.abs(qdd[i])
    end
    -- a = E (a_p + U_p p), sliding also U z q + 2 w x z qd + z qdd
    local size_a, e_a = size(m.a), from.a + lever_error(from, length(b.p), count(b.p))
    if not b.prismatic then
      errors[i] = followed(m, e_w, e_wd, e_a + (k + 1) * size_a)
    else
      local e = followed(m, e_w, e_wd, 0)
      local own, reach = scalar.abs(b.q), scalar.abs(qdd[i])
      local parts = own * e.size_U + 2 * rate * size_w + reach
      e.a = e_a + (k + 1) * (size_a + parts) + own * (e.U + (4 + mimics) * e.size_U) +
        2 * rate * (e_w + (3 + mimics) * size_w) + mimics * reach + 3 * (size_a + parts)
      errors[i] = e
    end
  end
  return errors
end

-- ---- forces ----

-- The error of the wrench {f, n} that the motion takes of an inertia of constants (motion.inertial_wrench).
local function inertial_error(inertia, e)
  local x = measure(inertia)
  local f, n, parts = 0, 0, 0
  if x.m ~= 0 then f, parts = f + x.m * (e.a + 2 * e.size_a), parts + x.m * e.size_a end
  if x.h ~= 0 then
    f = f + lever_error(e, x.h, x.terms)
    n = n + x.h * (e.a + 4 * e.size_a)
    if x.m ~= 0 then f = f + parts + x.h * e.size_U end
  end
  -- vee(U S - (U S)^T): sqrt 2 |U| |S|, six roundings
  if x.S ~= 0 then n = n + x.S * (1.5 * e.U + 12 * e.size_U) end
  return {f = f, n = n}
end

local function add_error(list, body, f, n)
  local old = list[body] or {f = 0, n = 0}
  list[body] = {f = old.f + f, n = old.n + n}
end

-- A wrench given along the axes of the base at the frame's origin, of lengths F and N: its error about the body's.
function Bound:given_error(errors, frame, F, N)
  local k, p = self.turned[frame.body], length(frame.p)
  add_error(errors, frame.body, k * F, k * N + p * ((k + 4) * F) + N + p * F)
end

-- What the rows' forces take of the bodies: {[body] = wrench}, into errors; by coordinate those along joints.
function Bound:row_wrenches(nu, errors)
  local state, wrenches, along = self.state, {}, {}
  local sums = {}
  for j, row in ipairs(state.rows) do
    if row.joint then
      local c = state.chain.nb + row.joint
      along[c] = (along[c] or 0) + nu[j]
    else
      local g, s = row.group, sums[row.group]
      if not s then
        s = {f = spatial.zero, n = spatial.zero, F = 0, N = 0}
        sums[g], sums[#sums + 1] = s, g
      end
      s.f, s.n = spatial.add(s.f, spatial.scale(nu[j], row.dir.lin)), spatial.add(s.n, spatial.scale(nu[j], row.dir.ang))
      s.F = s.F + scalar.abs(nu[j]) * size(row.dir.lin)
      s.N = s.N + scalar.abs(nu[j]) * size(row.dir.ang)
    end
  end
  for _, g in ipairs(sums) do
    ag.region("bound: forces of the rows of " .. g.name, g.name)
    local s, frame, f, n = sums[g], g.frame, nil, nil
    if constraints.linked(g) then
      f, n = spatial.mul(frame.R, s.f), spatial.mul(frame.R, s.n)
    else
      f, n = state:to_body(frame.body, s.f), state:to_body(frame.body, s.n)
    end
    motion.put_wrench(wrenches, frame.body, {f = f, n = spatial.add(n, spatial.cross(frame.p, f))})
    local most = g.axes == "input" or g.free
    local sum = most and #g.rows + 1 or 0 -- of the directions' products and sums
    local k, p = self.turned[frame.body] + matrix_error + 2 + sum, length(frame.p)
    add_error(errors, frame.body, k * s.F, k * s.N + p * ((k + 4) * s.F) + s.N + p * s.F)
  end
  return wrenches, along
end

-- Inward: what is left of the wrenches by coordinate, and its error.
function Bound:joint_forces(wrenches, errors)
  local robot, chain = self.robot, self.state.chain
  local total, tau, e_tau = {}, {}, {}
  for i = 0, robot.n do total[i] = wrenches[i] end
  for i = robot.n, 1, -1 do
    local b, w = robot.bodies[i], total[i]
    ag.region("bound: inward, " .. b.link.name .. " -> " .. b.link.joint.name, b.link.id)
    tau[i], e_tau[i] = 0, 0
    if w then
      local e = errors[i]
      tau[i], e_tau[i] = motion.along_joint(b, w), b.prismatic and e.f or e.n
      if b.parent > 0 or robot.base then
        local on, k = motion.wrench_to_parent(b, w), self.turn[i]
        local F, N = size(w.f), size(on.n)
        local arm, terms = length(b.arm), count(b.arm)
        if b.prismatic then arm, terms = arm + scalar.abs(b.q), 3 end
        local e_n = e.n + k * size(w.n) + k * N + N
        if not (b.prismatic == false and arm == 0) then e_n = e_n + arm * (e.f + (k + 1.5 * terms + 2) * F) end
        add_error(errors, b.parent, e.f + k * F, e_n)
        if total[b.parent] then
          motion.put_wrench(total, b.parent, on)
          add_error(errors, b.parent, size(total[b.parent].f), size(total[b.parent].n))
        else
          total[b.parent] = on
        end
      end
    end
  end
  local forces = motion.along_base(robot.nb, total[0] or motion.no_wrench)
  local e_base = errors[0] or {f = 0, n = 0}
  local result = {}
  for c = 1, robot.nb do result[c] = (robot.nb == 3 and c <= 2 or robot.nb == 6 and c <= 3) and e_base.f or e_base.n end
  for j, x in ipairs(motion.per_joint(chain, tau)) do forces[robot.nb + j] = x end
  local absolute = {}
  for j = 1, chain.nj do absolute[j] = 0 end
  for i = 1, robot.n do
    local j, ratio = chain.joint_of[i], chain.ratio[i]
    absolute[j] = absolute[j] + math.abs(scalar.value(ratio)) * (scalar.is_one(ratio) and e_tau[i] or e_tau[i] + 4 * scalar.abs(tau[i]))
  end
  for j = 1, chain.nj do result[robot.nb + j] = absolute[j] end
  return forces, result
end

-- r1 by coordinate and its error: for accelerations vdot and forces tau by coordinate; nu: of the rows, nil: none.
function Bound:dynamics(motions, of_motions, vdot, tau, nu)
  local state, errors = self.state, {}
  local wrenches = state:inertial_wrenches(motions)
  for i = state.base and 0 or 1, state.chain.n do errors[i] = inertial_error(state.inertias[i], of_motions[i]) end
  local function take(list)
    for i = 0, state.chain.n do
      if list[i] and wrenches[i] then
        wrenches[i] = motion.sub_wrench(wrenches[i], list[i])
        add_error(errors, i, size(wrenches[i].f), size(wrenches[i].n))
      end
    end
  end
  for _, kind in ipairs {"physical", "artificial"} do take(state:given_wrenches(kind)) end
  for _, w in ipairs(state.wrenches) do
    if wrenches[w.frame.body] then self:given_error(errors, w.frame, size(w.f), size(w.n)) end
  end
  local along = {}
  if nu then
    local of_rows
    of_rows, along = self:row_wrenches(nu, errors)
    take(of_rows)
  end
  local needed, e1 = self:joint_forces(wrenches, errors)
  local r1 = {}
  for c = 1, #needed do
    ag.region("bound: what the equations of motion leave", "bound")
    local given = tau[c] + (along[c] or 0)
    local rotor = c > state.chain.nb and state.armature[c - state.chain.nb] * vdot[c] or 0
    r1[c] = given - (needed[c] + rotor)
    e1[c] = e1[c] + 2 * (scalar.abs(tau[c]) + scalar.abs(along[c] or 0) + scalar.abs(needed[c])) + 4 * scalar.abs(rotor)
  end
  return r1, e1
end

-- r2 by row and its error.
function Bound:of_rows(motions, of_motions, vdot)
  local state = self.state
  local seen, r2, e2 = state:seen(motions, nil, vdot), {}, {}
  for j, row in ipairs(state.rows) do
    r2[j] = row.b - seen[j]
    if row.joint then
      e2[j] = 2 * scalar.abs(r2[j])
    else
      local g = row.group
      local frame, m = g.frame, motions[g.frame.body]
      local e, k, p = of_motions[frame.body], self.turned[frame.body] + matrix_error + 2, length(frame.p)
      local lin, e_lin = spatial.add(m.a, spatial.mul(m.U, frame.p)), nil
      e_lin = e.a + lever_error(e, p, count(frame.p))
      local whole = size(lin)
      if g.acceleration == "spatial" then
        -- less w x v, v = v_0 + w x p
        local t = state:twists()[frame.body]
        local v = size(t.v) + e.size_w * p
        e_lin = e_lin + v * e.w + e.size_w * (self:velocity_error(frame.body) + p * e.w + 6 * v)
        whole = whole + e.size_w * v
      end
      e_lin = e_lin + (k + 2) * whole + 2 * size(state.gravity)
      local e_ang = e.wd + k * e.size_wd
      local L, A = size(row.dir.lin), size(row.dir.ang)
      e2[j] = 0
      if not scalar.is_zero(L) then
        e2[j] = e2[j] + L * (e_lin + ((g.free or g.axes == "input") and 4 * (whole + size(state.gravity)) or 0))
      end
      if not scalar.is_zero(A) then
        e2[j] = e2[j] + A * (e_ang + ((g.free or g.axes == "input") and 4 * e.size_wd or 0))
      end
      e2[j] = e2[j] + 2 * scalar.abs(r2[j])
    end
  end
  return r2, e2
end

-- The error of the velocity of a body's origin.
function Bound:velocity_error(body)
  local twists, robot, e, e_w = self.state:twists(), self.robot, 0, 0
  local base = self.state.base
  if base then
    e = (self.base_error + matrix_error) * size(twists[0].v)
    e_w = (self.base_error + matrix_error) * size(twists[0].w)
  end
  local way = motion.way(robot, body, 0)
  for at = #way, 1, -1 do
    local b, k = robot.bodies[way[at]], self.turn[way[at]]
    local from, to = twists[b.parent], twists[way[at]]
    local arm = length(b.arm)
    if b.prismatic then arm = arm + scalar.abs(b.q) end
    local w = size(from.w)
    e_w = e_w + k * w
    e = e + k * size(from.v) + arm * (e_w + (k + 5) * w) + k * arm * w + 3 * size(to.v) + arm * w
    e_w = e_w + size(to.w) + 2 * scalar.abs(b.qd or 0)
  end
  return e
end

-- ---- what the errors of M and J add ----

-- By coordinate the square root of the most inertia that it can feel, whatever the positions (sliding joints: within
-- their limits).
local function inertia_scales(chain)
  local robot_mass, reach = {}, {}
  for i = chain.n, 0, -1 do
    local b = chain.bodies[i]
    local x = b.whole_inertia
    local I = scalar.value(x.I[1]) + scalar.value(x.I[4]) + scalar.value(x.I[6]) -- trace / 2 >= the largest moment
    robot_mass[i] = {m = scalar.value(x.m) + (robot_mass[i] and robot_mass[i].m or 0), h = length(x.h) + (robot_mass[i] and robot_mass[i].h or 0),
      I = I / 2 + (robot_mass[i] and robot_mass[i].I or 0)}
    if i > 0 then
      local at, own, p = robot_mass[b.parent] or {m = 0, h = 0, I = 0}, robot_mass[i], length(b.p)
      if b.prismatic then p = p + math.max(math.abs(b.link.joint.lower or 1), math.abs(b.link.joint.upper or 1)) end
      robot_mass[b.parent] = {m = at.m + own.m, h = at.h + own.h + own.m * p, I = at.I + own.I + 2 * own.h * p + own.m * p * p}
      reach[i] = p
    end
  end
  local s = {}
  for c = 1, chain.nb do
    local slides = chain.nb == 3 and c <= 2 or chain.nb == 6 and c <= 3
    s[c] = math.sqrt(slides and robot_mass[0].m or robot_mass[0].I)
  end
  for j = 1, chain.nj do s[chain.nb + j] = 0 end
  for i = 1, chain.n do
    local c, b = chain.nb + chain.joint_of[i], chain.bodies[i]
    s[c] = s[c] + math.abs(scalar.value(chain.ratio[i])) * math.sqrt(b.prismatic and robot_mass[i].m or robot_mass[i].I)
  end
  return s
end

local function dot(a, b)
  local sum = 0
  for i = 1, #a do sum = sum + a[i] * b[i] end
  return sum
end

local function absolute(A)
  local R = {}
  for i = 1, #A do
    R[i] = {}
    for j = 1, #A[i] do R[i][j] = scalar.abs(A[i][j]) end
  end
  return R
end

-- The largest of turned, a number where nothing of it comes at run time.
function Bound:most_turned()
  local most, others = 0, {}
  for i = 0, self.state.chain.n do
    local k = self.turned[i]
    if scalar.is_number(k) then most = math.max(most, scalar.value(k)) else others[#others + 1] = k end
  end
  for _, k in ipairs(others) do most = scalar.max(most, k) end
  return most
end

-- How large the elements of J of a row can be.
local function lever_of(state, row)
  if row.joint then return 1 end
  local rate, slides = 1, 0
  for i, b in ipairs(state.robot.bodies) do
    rate = math.max(rate, math.abs(scalar.value(state.chain.ratio[i])))
    if b.prismatic then slides = 1 end
  end
  local far = rate * math.max(state.chain.reach, state.chain.nb > 0 and 1 or slides)
  return far * size(row.dir.lin) + rate * size(row.dir.ang)
end
function Bound:levers()
  local list = {}
  for j, row in ipairs(self.state.rows) do list[j] = lever_of(self.state, row) end
  return list
end

-- The bounds by coordinate. maps: {G, H by coordinate and equation; levers by equation, how large its elements of J can be;
-- gram: by equation L_jj where the rows' forces come of L = J M^-1 J^T, which is known to u times its diagonal}.
-- total1, total2: |r| + u e by coordinate and by equation; vdot: the accelerations; fails: a condition that there is none.
function Bound:propagate(maps, total1, total2, vdot, fails)
  local state, chain = self.state, self.state.chain
  local n, m, u = #vdot, #total2, state.single and 2 ^ -24 or 2 ^ -53
  ag.region("bound: from what is left to the accelerations", "bound")
  local s, g, h, levers, gram = inertia_scales(chain), absolute(maps.G), absolute(maps.H), maps.levers, maps.gram
  local x, all = {}, 0
  for i = 1, n do
    x[i] = dot(g[i], total1) + dot(h[i], total2)
    all = all + x[i]
  end
  -- T x: forces `load` by coordinate, accelerations `shift` by equation
  local Sx, load = dot(s, x), {}
  for i = 1, n do
    load[i] = s[i] * Sx
    local d = i > chain.nb and state.armature[i - chain.nb] or 0
    if not scalar.is_zero(d) then load[i] = load[i] + scalar.abs(d) * x[i] end
  end
  local pushed, squares = 0, 0
  for j = 1, m do
    local force = 0
    for i = 1, n do force = force + h[i][j] * (total1[i] + load[i]) end
    pushed = pushed + levers[j] * force
    if gram then squares = squares + scalar.divide(gram[j], levers[j]) * force end
  end
  local shift = {}
  for j = 1, m do
    shift[j] = levers[j] * all
    -- sqrt(L_jj L_kk) <= (L_jj l_k / l_j + L_kk l_j / l_k) / 2
    if gram then shift[j] = shift[j] + 0.5 * (scalar.divide(gram[j], levers[j]) * pushed + levers[j] * squares) end
  end
  for i = 1, n do load[i] = load[i] + pushed end
  local c = (2 * self:most_turned() + (2 * n + 20)) * u
  local holds, more = fails and scalar.lnot(fails) or true, {}
  for i = 1, n do
    more[i] = c * (dot(g[i], load) + dot(h[i], shift))
    holds = scalar.land(holds, scalar.lnot(scalar.lt(x[i], 2 * more[i])))
  end
  local bounds, none, least = {}, ag.no_bound(state.single), state.single and 1e-30 or 1e-290
  for i = 1, n do
    -- the rounding of x itself, of vdot, and of numbers near the smallest there are
    local all_of_it = (x[i] + 4 * more[i]) * (1 + 512 * u * 8) + (2 * u * scalar.abs(vdot[i]) + least)
    bounds[i] = scalar.select(scalar.land(holds, scalar.lt(all_of_it, none)), all_of_it, none)
    ag.label(bounds[i], "bound" .. chain.coordinates[i].label)
  end
  return bounds
end

-- |r| + u e
local function totals(r, e, u)
  local list = {}
  for k = 1, #r do list[k] = scalar.abs(r[k]) + u * e[k] end
  return list
end

-- The bounds by coordinate on the errors of vdot. tau: the torques that act, by coordinate; nu: by row; maps: a function that
-- makes those of propagate, of |r2| and e2 by row; it may put others in the place of total2.
function Bound.of(state, vdot, tau, nu, make_maps, fails)
  local self, u = Bound.new(state), state.single and 2 ^ -24 or 2 ^ -53
  ag.region("bound: the motion", "bound")
  local motions = motion.accelerations(state.robot, spatial.neg(state.gravity), vdot)
  local errors = self:of_motions(motions, vdot)
  local r1, e1 = self:dynamics(motions, errors, vdot, tau, nu)
  local r2, e2 = {}, {}
  if nu then r2, e2 = self:of_rows(motions, errors, vdot) end
  local total2 = totals(r2, e2, u)
  local maps = make_maps(self, r2, e2, u)
  return self:propagate(maps, totals(r1, e1, u), maps.total2 or total2, vdot, fails)
end

local function empty_rows(n)
  local rows = {}
  for i = 1, n do rows[i] = {} end
  return rows
end

-- M^-1 of a formulation, as a full matrix.
local function inverse_of(form, n)
  if form.factor then return form.factor:inverse() end
  local inverse = {}
  for i = 1, n do inverse[i] = {} end
  for c = 1, n do
    local unit = {}
    for i = 1, n do unit[i] = i == c and 1 or 0 end
    local column = form:accelerate(form:free(unit, {}))
    for i = 1, n do inverse[i][c] = column[i] end
  end
  return inverse
end

-- The maps of a general solve: form, rows' K, and their system (constraints.system).
--   W = M^-1 J^T,  H = W L^-1,  G = M^-1 - H W^T
-- Rows that are masked, dropped or out of reach have no part in L^-1: they are as if they were not there.
function Bound.general(form, k, system, n)
  return function(self)
    ag.region("bound: the inverse of the system", "bound")
    local inverse, m = inverse_of(form, n), #k
    if m == 0 then return {G = inverse, H = empty_rows(n), levers = {}} end
    local W, columns, nothing = {}, {}, {}
    for i = 1, n do nothing[i] = 0 end
    for j = 1, m do
      W[j] = form:accelerate(k[j])
      local unit = {}
      for l = 1, m do unit[l] = l == j and 1 or 0 end
      columns[j] = system.solve(nothing, unit)
    end
    local G, H = {}, {}
    for i = 1, n do
      G[i], H[i] = {}, {}
      for j = 1, m do
        H[i][j] = 0
        for l = 1, m do H[i][j] = H[i][j] + W[l][i] * columns[j][l] end
      end
    end
    for i = 1, n do
      for c = 1, i do
        local sum = 0
        for j = 1, m do sum = sum + H[i][j] * W[j][c] end
        G[i][c] = inverse[i][c] - sum
        G[c][i] = G[i][c]
      end
    end
    return {G = G, H = H, levers = self:levers(), gram = system.diagonal}
  end
end

return Bound
