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
-- T halves x or better, |d| <= x + 4 T x; elsewhere nothing is known. (Rump, Verification methods, Acta Numerica 2010, 10.)
--
-- Errors are followed by vectors: e.w bounds the Euclidean length of the error of w, in units of u. A rotation keeps
-- lengths, so a chain of joints adds errors up and does not let them grow, which bounds by components would.

local scalar = require "scalar"
local spatial = require "spatial"
local motion = require "motion"
local constraints = require "constraints"

local Bound = {}
Bound.__index = Bound

-- Errors of one rotation of a vector, in u times the length of the part that it turns: two products, |c| + |s|, and a sum for
-- each component, at most 1 + sqrt 2 (turn_error); and the sine and cosine themselves, each off by u at most, sqrt 2 (below one
-- ulp, and ulps of numbers up to 1 are u at most; of float, below 2^-24: sincos.h), or 1 where they are constants. Of a product
-- with a rotation as a matrix: three products, sqrt 3, and two sums, of which none is longer than the vector.
local turn_error, spin_error, matrix_error = 2.415, 3.84, 3.74
-- Of a rotation from a quaternion (moving_base.lua): s is off by 5 u and |R - 1| <= 2; the products with it, a sum in the diagonal
-- and one in each element: 2 and 1 times the Frobenius norms of what they add, at most 3.42, 2.83 and sqrt 3.
local quaternion_error = 22

local function length(v) return math.sqrt(scalar.value(v[1] * v[1] + v[2] * v[2] + v[3] * v[3])) end
local function count(v)
  local n = 0
  for k = 1, 3 do n = n + (scalar.is_zero(v[k]) and 0 or 1) end
  return n
end

-- At least the length of a vector of up to three components, a tenth more on average: for a >= b >= c >= 0
-- a + (sqrt 2 - 1) (b + c), which is right for (1, 0, 0) and (1, 1, 0).
local function size(v)
  local sum, most, n = 0, 0, 0
  for k = 1, #v do
    if not scalar.is_zero(v[k]) then
      local a = scalar.abs(v[k])
      sum, most, n = sum + a, n == 0 and a or scalar.max(most, a), n + 1
    end
  end
  return n < 2 and sum or 0.41422 * sum + 0.58579 * most
end

-- The same, 4 thousandths more: after a step of Heron's for the square root, which is never below it. What is lost where
-- squares are below the smallest number is less than half of `tiny`, of floats too.
local tiny = 2e-19
local function norm(v)
  local near, squares, n = size(v), 0, 0
  for k = 1, #v do
    if not scalar.is_zero(v[k]) then squares, n = squares + v[k] * v[k], n + 1 end
  end
  return n < 2 and near or 0.5 * (near + scalar.divide(squares, near + tiny)) + tiny
end
-- The same of the part across z.
local function across(v) return size {v[1], v[2]} end

local function right_angle(c, s) return scalar.is_zero(c) or scalar.is_zero(s) end

-- Of a turn by a constant angle.
local function constant_error(c, s)
  if right_angle(c, s) then return 0 end
  return math.abs(scalar.value(c)) + math.abs(scalar.value(s)) + 2
end

-- What turning a vector from a body's axes to its parent's, or back, adds to its error: per unit of its part across the
-- joint's axis, and per unit of its length.
local function turning(b)
  -- c and s of a constant angle and the joint's are products and sums themselves
  local spin = (b.prismatic and 0 or spin_error) + constant_error(b.ct, b.st)
  return spin, constant_error(b.ca, b.sa) + constant_error(b.cg, b.sg)
end

-- Of state's robot. turned[i]: what turning a vector from the base's axes (moving base: the world's) to body i's adds.
function Bound.new(state)
  local self = setmetatable({state = state, robot = state.robot, spin = {}, fixed = {}, turned = {}}, Bound)
  local base = state.base
  self.base_error = not base and 0 or (base.quat and quaternion_error or base.yaw and spin_error or 0) + matrix_error
  self.turned[0] = self.base_error
  for i, b in ipairs(self.robot.bodies) do
    self.spin[i], self.fixed[i] = turning(b)
    local ratio = state.chain.ratio[i]
    if not scalar.is_one(ratio) and not b.prismatic then self.spin[i] = self.spin[i] + 2 * scalar.abs(b.q) end
    -- by products of rotations (State:to_body by poses) each turns two columns: products and sums are off by sqrt 2 times as much
    self.turned[i] = self.turned[b.parent] + (state.poses and 1.3 or 1) * (self.spin[i] + self.fixed[i])
  end
  if state.poses then
    for i = 1, self.robot.n do self.turned[i] = self.turned[i] + matrix_error end
  end
  return self
end

-- Errors of products and sums where the two components v of a vector are turned to c v1 + s v2, c v2 - s v1, or the other way
-- (s of the other sign), and angle times their length, of c and s.
local function turned_pair(c, s, v, angle)
  local function along(p, q)
    if scalar.is_zero(p) or scalar.is_zero(q) then return scalar.abs(p + q) end
    return scalar.abs(p) + scalar.abs(q) + scalar.abs(p + q)
  end
  return size {along(c * v[1], s * v[2]), along(c * v[2], -(s * v[1]))} + angle * size(v)
end

-- What turning v about the axis of joint i adds to its error, with s the joint's sine or, the other way, less that.
function Bound:spun(i, s, v)
  local b, spin = self.robot.bodies[i], self.spin[i]
  if scalar.is_zero(spin) then return 0 end
  return turned_pair(b.c, s, {v[1], v[2]}, spin - turn_error)
end
-- Of a turn by a constant angle.
local function fixed_pair(c, s, p, q) return right_angle(c, s) and 0 or turned_pair(c, s, {p, q}, 1) end
-- Of the way of v from the parent to body i, and of the twist (motion.twist) on the way back.
function Bound:turned_outward(i, v)
  local b = self.robot.bodies[i]
  local e, there = fixed_pair(b.cg, b.sg, v[1], v[2]), spatial.rz(b.cg, -b.sg, v)
  e = e + fixed_pair(b.ca, b.sa, there[2], there[3])
  there = spatial.rx(b.ca, -b.sa, there)
  return e + self:spun(i, b.s, there)
end
local function twisted(b, v)
  local e, there = fixed_pair(b.ca, -b.sa, v[2], v[3]), spatial.rx(b.ca, b.sa, v)
  return e + fixed_pair(b.cg, -b.sg, there[1], there[2])
end

-- Of p x f of constants p (slides: p[3] is a sum), and of its sum with n.
local function moment_error(p, f, n, slides)
  local own, cross, list = {2, 2, slides and 3 or 2}, spatial.cross(p, f), {}
  for k = 1, 3 do
    local i, j = k % 3 + 1, (k + 1) % 3 + 1
    local x, y = p[i] * f[j], p[j] * f[i]
    list[k] = own[i] * scalar.abs(x) + own[j] * scalar.abs(y)
    if not scalar.is_zero(x) and not scalar.is_zero(y) then list[k] = list[k] + scalar.abs(cross[k]) end
    if not scalar.is_zero(cross[k]) then list[k] = list[k] + scalar.abs(n[k] + cross[k]) end
  end
  return size(list)
end

-- ---- motion ----

-- The error of a column of U, but for what that of wd makes: that of w, and its elements' one product and a sum.
local function tensor_error(e) return 2 * (e.size_w * e.w) + (2.5 * e.ww + e.size_wd) end

-- Errors of U's elements and of its squares, but for what that of wd makes: that of w, a product, a sum.
local function tensor_errors(m, e)
  local w, squares, U, of = m.w, m.U.squares, {{}, {}, {}}, {}
  local rate = {}
  for k = 1, 3 do
    rate[k] = scalar.is_zero(w[k]) and 0 or scalar.abs(w[k]) * e.w
    of[k] = squares[k] + 2 * rate[k]
  end
  for i = 1, 3 do
    local j, k = i % 3 + 1, (i + 1) % 3 + 1
    U[i][i] = of[j] + of[k] + (squares[j] + squares[k])
    for _, l in ipairs {j, k} do
      if scalar.is_zero(w[i]) or scalar.is_zero(w[l]) then
        U[i][l] = 0
      else
        U[i][l] = scalar.abs(w[i] * w[l]) + scalar.abs(m.U[i][l]) + (scalar.abs(w[i]) + scalar.abs(w[l])) * e.w
      end
    end
  end
  return U, of
end

-- The error of a sum of products, from left to right, of which each has a constant: {number, its error, constant}. Constant
-- and product are rounded, and each sum; e: of what else is in the sum `before`.
local function products_error(list, before)
  local e, sum, first = 0, before or 0, not before
  for _, x in ipairs(list) do
    if not scalar.is_zero(x[3]) and not scalar.is_zero(x[1]) then
      e = e + math.abs(scalar.value(x[3])) * (x[2] + 2 * scalar.abs(x[1]))
      sum = sum + x[1] * x[3]
      if not first then e = e + scalar.abs(sum) end
      first = false
    end
  end
  return e
end

-- Sizes of the motion {w, wd, a, U} of a body, and errors of w and U.
local function followed(m, e_w)
  local xx, yy, zz = table.unpack(m.U.squares)
  local e = {w = e_w, size_w = size(m.w), size_wd = size(m.wd), size_a = size(m.a), ww = xx + yy + zz}
  e.size_U = e.ww + e.size_wd -- at least |U|
  e.U, e.of_squares = tensor_errors(m, e)
  return e
end

-- The length of the error of U p, of which products: that of U, constants, products and sums.
local function lever_error(m, e, p)
  local list = {}
  for i = 1, 3 do
    local row = {}
    for k = 1, 3 do row[k] = {m.U[i][k], e.U[i][k], p[k]} end
    list[i] = products_error(row)
  end
  return size(list)
end

-- Errors by body of motions without gravity that motion.accelerations made for vdot (0: the base): all of them, {w, wd, a}, and of
-- wd and a those that arise at the body, {new_wd, new_a}: they go on to all bodies that it carries, as one rigid motion.
function Bound:of_motions(motions, vdot)
  local state, robot = self.state, self.robot
  local errors = {}
  do
    local m, e_w = motions[0], 0
    if state.base then
      if state.base.twist and not state.base.yaw then e_w = self.base_error * size(m.w) end
    end
    errors[0] = followed(m, e_w)
    errors[0].new_wd, errors[0].new_a = 0, 0
  end
  local qdd = motion.per_body(state.chain, vdot, robot.nb)
  for i, b in ipairs(robot.bodies) do
    ag.region("bound: outward, " .. b.link.joint.name .. " -> " .. b.link.name, b.link.id)
    local from, m, spin, fixed = errors[b.parent], motions[i], self.spin[i], self.fixed[i]
    local mimics = scalar.is_one(state.chain.ratio[i]) and 0 or 2
    local rate, moved = scalar.abs(b.qd or 0), scalar.abs(qdd[i])
    local still_w, still_a = scalar.is_zero(from.size_w), scalar.is_zero(from.size_U) -- a base that does not turn
    -- w = E w_p + z qd;  wd = E wd_p + w x z qd + z qdd
    local e_w = still_w and 0 or from.w + self:turned_outward(i, motions[b.parent].w)
    local new_wd = self:turned_outward(i, motions[b.parent].wd)
    if not b.prismatic then
      e_w = e_w + (still_w and 0 or scalar.abs(m.w[3])) + mimics * rate
      new_wd = new_wd + (still_w and 0 or rate * (e_w + (1 + mimics) * across(m.w)) + size(m.wd)) + mimics * moved
    end
    -- a = E (a_p + U_p p), sliding also U z q + 2 w x z qd + z qdd
    local new_a = still_a and 0 or lever_error(motions[b.parent], from, b.p)
    local e = followed(m, e_w)
    if not b.prismatic then
      local there = spatial.add(motions[b.parent].a, spatial.mul(motions[b.parent].U, b.p))
      new_a = new_a + self:turned_outward(i, there) + (still_a and 0 or e.size_a)
    else
      local own = scalar.abs(b.q)
      local parts = own * e.size_U + 2 * rate * e.size_w + moved
      new_a = new_a + (spin + fixed + 4) * (e.size_a + parts) + own * (tensor_error(e) + (4 + mimics) * e.size_U) +
        2 * rate * (e_w + (3 + mimics) * e.size_w) + mimics * moved
    end
    e.new_wd, e.new_a = new_wd, new_a
    errors[i] = e
  end
  return errors
end

-- Gravity joins: motions with it, as motion.inertial_wrench takes them; errors new_full of their a that
-- arise at the body, and the size of a, size_full.
function Bound:with_gravity(motions, errors)
  local state, full, down = self.state, {}, {}
  for i = 0, self.robot.n do
    local m, e, b = motions[i], errors[i], self.robot.bodies[i]
    ag.region("bound: gravity", "bound")
    if i == 0 then
      down[0] = state.base and spatial.mul_transposed(state.base.R, state.gravity) or state.gravity
      e.new_full = e.new_a + self.base_error * size(down[0])
    else
      down[i] = motion.to_body(b, down[b.parent])
      e.new_full = e.new_a + self:turned_outward(i, down[b.parent])
    end
    full[i] = {w = m.w, wd = m.wd, U = m.U, a = spatial.sub(m.a, down[i])}
    e.size_full = size(full[i].a)
  end
  return full
end

-- ---- forces ----
-- Errors of wrenches are those that arise at a body, {f, n} about its origin, not those that come there from others.

-- By component, of the wrench {f, n} that the motion takes of an inertia of constants (motion.inertial_wrench, in whose order
-- the sums stand here), but for what errors of the accelerations make of it.
local function inertial_error(inertia, m, e)
  local S, U, w2, h, a = spatial.second_moments(inertia.I), m.U, m.U.squares, inertia.h, m.a
  local of_U, of_w2 = e.U, e.of_squares
  local f, n, hxa = {}, {}, spatial.cross(h, a)
  local wrench = motion.inertial_wrench(inertia, m)
  -- a is a difference
  local function element(i, k, constant) return {U[i][k], of_U[i][k], constant} end
  for i = 1, 3 do
    local j, k = i % 3 + 1, (i + 1) % 3 + 1
    local arm = {element(i, 1, h[1]), element(i, 2, h[2]), element(i, 3, h[3])}
    f[i] = products_error {{a[i], scalar.abs(a[i]), inertia.m}} + products_error(arm)
    if not scalar.is_zero(inertia.m) and length(h) > 0 then f[i] = f[i] + scalar.abs(wrench.f[i]) end
    n[i] = products_error {{a[k], scalar.abs(a[k]), h[j]}, {a[j], scalar.abs(a[j]), -h[k]}}
    if not scalar.is_zero(hxa[i]) then n[i] = n[i] + scalar.abs(wrench.n[i]) end
  end
  local xx, xy, xz, yy, yz, zz = S[1], S[2], S[3], S[4], S[5], S[6]
  local function apart(i, k, constant) -- of two squares
    local x = w2[i] - w2[k]
    return {x, of_w2[i] + of_w2[k] + scalar.abs(x), constant}
  end
  n[1] = n[1] + products_error {element(3, 2, yy), element(2, 3, -zz), element(3, 1, xy), element(2, 1, -xz), apart(3, 2, yz)}
  n[2] = n[2] + products_error {element(1, 3, zz), element(3, 1, -xx), element(1, 2, yz), element(3, 2, -xy), apart(1, 3, xz)}
  n[3] = n[3] + products_error {element(2, 1, xx), element(1, 2, -yy), element(2, 3, xz), element(1, 3, -yz), apart(2, 1, xy)}
  return f, n
end

local function add_error(list, body, f, n)
  local e = list[body] or {f = 0, n = 0}
  e.f, e.n = e.f + f, e.n + n
  list[body] = e
end

-- Of a wrench of sizes F and N along axes of the base at the frame's origin, turned to its body; own_f, own_n: its own errors.
function Bound:given_error(errors, frame, k, F, N, own_f, own_n)
  local p = length(frame.p)
  add_error(errors, frame.body, 0, k * N + own_n + N + 5 * (p * F))
  local list = errors[frame.body].points or {}
  list[#list + 1] = {p = frame.p, f = k * F + own_f}
  errors[frame.body].points = list
end

-- What the rows' forces take of the bodies: {[body] = wrench}, with their errors; by coordinate those along joints.
function Bound:row_wrenches(nu, errors)
  local state, wrenches, along, sums = self.state, {}, {}, {}
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
    local oblique = g.axes == "input" or g.free
    if constraints.linked(g) then
      f, n = spatial.mul(frame.R, s.f), spatial.mul(frame.R, s.n)
    else
      f, n = state:to_body(frame.body, s.f), state:to_body(frame.body, s.n)
    end
    motion.put_wrench(wrenches, frame.body, {f = f, n = spatial.add(n, spatial.cross(frame.p, f))})
    local own, k = oblique and #g.rows + 1 or 0, self.turned[frame.body] + (constraints.linked(g) and matrix_error + 1 or 0)
    self:given_error(errors, frame, k, norm(s.f), norm(s.n), own * s.F, own * s.N)
  end
  return wrenches, along
end

-- Inward: what is left of the wrenches by coordinate, and the errors that arise on the way.
function Bound:joint_forces(wrenches, errors)
  local robot, chain = self.robot, self.state.chain
  local total, tau = {}, {}
  for i = 0, robot.n do total[i] = wrenches[i] end
  for i = robot.n, 1, -1 do
    local b, w = robot.bodies[i], total[i]
    ag.region("bound: inward, " .. b.link.name .. " -> " .. b.link.joint.name, b.link.id)
    tau[i] = w and motion.along_joint(b, w) or 0
    if w and (b.parent > 0 or robot.base) then
      local on, f, n, arm = motion.wrench_to_parent(b, w), motion.spin(b, w.f), motion.spin(b, w.n), motion.arm(b)
      local e = errors[i]
      e.spun_f, e.spun_n = self:spun(i, -b.s, w.f), self:spun(i, -b.s, w.n)
      add_error(errors, b.parent, twisted(b, f), twisted(b, spatial.add(n, spatial.cross(arm, f))) + moment_error(arm, f, n, b.prismatic))
      motion.put_wrench(total, b.parent, on)
      if there then add_error(errors, b.parent, size(total[b.parent].f), size(total[b.parent].n)) end
    end
  end
  local forces = motion.along_base(robot.nb, total[0] or motion.no_wrench)
  for j, x in ipairs(motion.per_joint(chain, tau)) do forces[robot.nb + j] = x end
  return forces, tau
end

-- r1 by coordinate and its own error, and the errors of wrenches by body: for accelerations vdot and forces tau by
-- coordinate; nu: of the rows, nil: none.
function Bound:dynamics(motions, of_motions, vdot, tau, nu)
  local state, chain, errors = self.state, self.state.chain, {}
  local wrenches = state:inertial_wrenches(motions)
  for i = state.base and 0 or 1, chain.n do
    ag.region("bound: forces of body " .. i, "bound")
    errors[i] = {f = 0, n = 0}
    errors[i].by_f, errors[i].by_n = inertial_error(state.inertias[i], motions[i], of_motions[i])
  end
  local function take(list)
    for i = 0, chain.n do
      if list[i] and wrenches[i] then
        wrenches[i] = motion.sub_wrench(wrenches[i], list[i])
        add_error(errors, i, size(wrenches[i].f), size(wrenches[i].n))
      end
    end
  end
  for _, kind in ipairs {"physical", "artificial"} do take(state:given_wrenches(kind)) end
  for _, w in ipairs(state.wrenches) do
    if wrenches[w.frame.body] then self:given_error(errors, w.frame, self.turned[w.frame.body], norm(w.f), norm(w.n), 0, 0) end
  end
  local along = {}
  if nu then
    local of_rows
    of_rows, along = self:row_wrenches(nu, errors)
    take(of_rows)
  end
  local needed, of_bodies = self:joint_forces(wrenches, errors)
  local r1, e1 = {}, {}
  for c = 1, #needed do
    ag.region("bound: what the equations of motion leave", "bound")
    local given = tau[c] + (along[c] or 0)
    local rotor = c > chain.nb and state.armature[c - chain.nb] * vdot[c] or 0
    r1[c] = given - (needed[c] + rotor)
    e1[c] = 2 * scalar.abs(rotor) + scalar.abs(r1[c])
    if along[c] or not scalar.is_zero(tau[c]) then e1[c] = e1[c] + scalar.abs(given) end
    if not scalar.is_zero(rotor) then e1[c] = e1[c] + scalar.abs(needed[c] + rotor) end
  end
  if chain.mimics then -- sums over the bodies that a joint moves, by their ratios
    for i = 1, chain.n do
      local c = chain.nb + chain.joint_of[i]
      e1[c] = e1[c] + 4 * math.abs(scalar.value(chain.ratio[i])) * scalar.abs(of_bodies[i])
    end
  end
  return r1, e1, errors
end

-- r2 by row, and the list of its errors {rows, e}: of the rows together, as a vector.
function Bound:of_rows(motions, of_motions, vdot)
  local state, r2, parts, of_kind = self.state, {}, {}, {}
  local seen = state:seen(motions, spatial.zero, vdot)
  for j, row in ipairs(state.rows) do
    r2[j] = row.b - seen[j]
    local g = row.group
    if not row.joint then
      local kinds = of_kind[g] or self:row_errors(g, motions, of_motions)
      of_kind[g] = kinds
      local lin = not spatial.is_zero(row.dir.lin)
      if g.free or g.axes == "input" then
        local e = size(row.dir.lin) * (kinds.lin + 4 * kinds.size_lin) + size(row.dir.ang) * (kinds.ang + 4 * kinds.size_ang)
        parts[#parts + 1] = {rows = {j}, e = e}
      else
        local kind = lin and "of_lin" or "of_ang"
        if not kinds[kind] then
          kinds[kind] = {rows = {}, e = lin and kinds.lin or kinds.ang}
          parts[#parts + 1] = kinds[kind]
        end
        table.insert(kinds[kind].rows, j)
      end
    end
  end
  return r2, parts
end

-- What the errors of wd and a that arise on the way to a frame's body make at the frame: {of its acceleration, of wd}. A
-- body turns all that it carries, by as much as the frame is from it.
function Bound:carried_error(of_motions, frame)
  local robot, i, from = self.robot, frame.body, frame.p
  local e_a, e_wd = of_motions[i].new_a + norm(from) * of_motions[i].new_wd, of_motions[i].new_wd
  while i > 0 do
    local b = robot.bodies[i]
    if b.prismatic then from = spatial.add(from, {0, 0, b.q}) end
    i, from = b.parent, spatial.add(motion.to_parent(b, from), b.p)
    local e = of_motions[i]
    e_a, e_wd = e_a + e.new_a + norm(from) * e.new_wd, e_wd + e.new_wd
  end
  return e_a, e_wd
end

-- Errors and sizes of the acceleration of a group's frame along the axes of the base.
function Bound:row_errors(g, motions, of_motions)
  ag.region("bound: what the rows of " .. g.name .. " leave", g.name)
  local frame, state = g.frame, self.state
  local m, e, p = motions[frame.body], of_motions[frame.body], length(frame.p)
  local k = constraints.linked(g) and matrix_error + 1 or self.turned[frame.body]
  local lin = spatial.add(m.a, spatial.mul(m.U, frame.p))
  local e_a, e_wd = self:carried_error(of_motions, frame)
  local whole, e_lin = norm(lin), e_a + lever_error(m, e, frame.p)
  if g.acceleration == "spatial" then -- less w x v, v = v_0 + w x p
    local t = state:twists()[frame.body]
    local v = size(t.v) + e.size_w * p
    e_lin = e_lin + v * e.w + e.size_w * (self:velocity_error(frame.body) + p * e.w + 6 * v)
    whole = whole + e.size_w * v
  end
  return {lin = e_lin + (k + 2) * whole, ang = e_wd + k * e.size_wd, size_lin = whole, size_ang = e.size_wd}
end

-- The error of the velocity of a body's origin.
function Bound:velocity_error(body)
  local twists, robot, e, e_w = self.state:twists(), self.robot, 0, 0
  if self.state.base then
    e, e_w = self.base_error * size(twists[0].v), self.base_error * size(twists[0].w)
  end
  local way = motion.way(robot, body, 0)
  for at = #way, 1, -1 do
    local b, k = robot.bodies[way[at]], self.spin[way[at]] + self.fixed[way[at]]
    local from, to = twists[b.parent], twists[way[at]]
    local arm = length(b.arm)
    if b.prismatic then arm = arm + scalar.abs(b.q) end
    local w = size(from.w)
    e_w = e_w + k * w
    e = e + k * size(from.v) + arm * (e_w + (2 * k + 6) * w) + 3 * size(to.v)
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

-- What turning a vector through all joints to a body adds to its error, of the body for which it is most: a number where no
-- angle of a mimic joint is in it.
function Bound:deepest()
  local of, most, others = {[0] = 0}, 0, {}
  for i, b in ipairs(self.robot.bodies) do
    of[i] = of[b.parent] + self.spin[i] + self.fixed[i]
    if scalar.is_number(of[i]) then most = math.max(most, scalar.value(of[i])) else others[#others + 1] = of[i] end
  end
  for _, k in ipairs(others) do most = scalar.max(most, k) end
  return most + self.base_error
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

-- What errors can do along the motions {w, v} by body: those of wrenches, and those of accelerations by what the motions make
-- of the inertias that the body carries, the wrenches `carried`.
local function work(left, motions, carried, first, n)
  local sum = 0
  for i = first, n do
    local m, e, c, d = motions[i], left.errors[i], carried[i], left.motions[i]
    sum = sum + (size(m.v) * e.f + size(m.w) * e.n)
    for _, at in ipairs(e.points or {}) do sum = sum + size(spatial.add(m.v, spatial.cross(m.w, at.p))) * at.f end
    if e.spun_f then sum = sum + (across(m.v) * e.spun_f + across(m.w) * e.spun_n) end
    for k = 1, 3 do sum = sum + (scalar.abs(m.v[k]) * e.by_f[k] + scalar.abs(m.w[k]) * e.by_n[k]) end
    sum = sum + (size(c.f) * d.new_full + size(c.n) * d.new_wd)
  end
  return sum
end

-- The scales of inertia_scales with rotor inertias d: sqrt(s^2 + d) <= s + sqrt d, and sqrt d <= (s + d / s) / 2.
local function scales_with_rotors(state)
  local chain = state.chain
  local s = inertia_scales(chain)
  for j, d in ipairs(state.armature) do
    local i = chain.nb + j
    if scalar.is_number(d) then
      s[i] = math.sqrt(s[i] ^ 2 + math.abs(scalar.value(d)))
    else
      s[i] = 1.5 * s[i] + scalar.abs(d) * (0.5 / s[i])
    end
  end
  return s
end

-- Whether six rows hold a tool on an arm of more joints, which turn: what is left free moves links in between, which feel their own
-- weight. There x is not far below what it is made of, and w (propagate) need not be told from T x.
local function holds_a_tool(state)
  if state.base then return false end
  for _, row in ipairs(state.rows) do
    local g, turning = row.group, 0
    if g.frame and #g.rows == 6 then
      for _, i in ipairs(motion.way(state.robot, g.frame.body, 0)) do turning = turning + (state.robot.bodies[i].prismatic and 0 or 1) end
      if turning > 6 then return true end
    end
  end
  return false
end

-- The bounds by coordinate. left: {r1, e1, r2, and errors by body of wrenches, errors, and of accelerations, motions}. maps: {G, H by
-- coordinate and equation; levers by equation: how large its elements of J can be; response(i): what an error of the wrenches can do to
-- coordinate i; shares(i): the same of errors of the rows; gram: by equation L_jj where the rows' forces come of L = J M^-1 J^T, which is
-- known to u times its diagonal}. vdot: the accelerations; fails: a condition that there is no bound.
function Bound:propagate(maps, left, vdot, fails)
  local state, chain = self.state, self.state.chain
  local n, m, u = #vdot, #maps.levers, self.u
  ag.region("bound: from what is left to the accelerations", "bound")
  local g, h, levers, gram = absolute(maps.G), absolute(maps.H), maps.levers, maps.gram
  local x, all, of_r1 = {}, 0, {}
  for i = 1, n do of_r1[i] = scalar.abs(left.r1[i]) + u * left.e1[i] end
  for i = 1, n do
    x[i] = dot(g[i], of_r1) + u * maps.response(i) + maps.shares(i)
    all = all + x[i]
  end
  local s, torques = scales_with_rotors(state), 0
  local Sx = dot(s, x)
  local function loads_of(Sx)
    local load = {}
    for i = 1, n do load[i] = s[i] * Sx end
    return load
  end
  local load = loads_of(Sx)
  for i = state.base and 0 or 1, chain.n do
    local e = left.errors[i]
    for _, at in ipairs(e.points or {}) do torques = torques + (math.max(chain.reach, 1) + length(at.p)) * at.f end
    torques = torques + (math.max(chain.reach, 1) * (e.f + size(e.by_f) + (e.spun_f or 0)) + (e.n + size(e.by_n) + (e.spun_n or 0)))
  end
  local c = (2 * self:deepest() + (n + 12)) * u
  -- What errors of M and J make of accelerations of which Sx = s . x and all, the sum, are known, and of the forces that the rows bear
  -- beside those that make them, given(i): forces `load` by coordinate, accelerations `shift` by equation.
  local function made_of(load, all, given)
    local pushed, squares = 0, 0
    for j = 1, m do
      local force = 0
      for i = 1, n do force = force + h[i][j] * given(i, load[i]) end
      pushed = pushed + levers[j] * force
      if gram then squares = squares + scalar.divide(gram[j], levers[j]) * force end
    end
    local shift, made = {}, {}
    for j = 1, m do
      shift[j] = levers[j] * all
      -- sqrt(L_jj L_kk) <= (L_jj l_k / l_j + L_kk l_j / l_k) / 2
      if gram then shift[j] = shift[j] + 0.5 * (scalar.divide(gram[j], levers[j]) * pushed + levers[j] * squares) end
    end
    local forces, S_made, all_made = {}, 0, 0
    for i = 1, n do forces[i] = load[i] + pushed end
    for i = 1, n do
      made[i] = c * (dot(g[i], forces) + dot(h[i], shift))
      S_made, all_made = S_made + s[i] * made[i], all_made + made[i]
    end
    return made, S_made, all_made
  end
  local function whole(i, load) return of_r1[i] + load + u * torques end
  local w, Sw, all_w, more, Sm, all_more
  if m == 0 or holds_a_tool(state) then
    more, Sm, all_more = made_of(load, all, whole)
  else -- w, of what is left, and T (x + w)
    w, Sw, all_w = made_of(loads_of(0), 0, whole)
    Sx, all = Sx + Sw, all + all_w
    more, Sm, all_more = made_of(loads_of(Sx), all, function(_, load) return load end)
    for i = 1, n do more[i] = w[i] + more[i] end
  end
  local small = scalar.land(scalar.lnot(scalar.lt(Sx, 2 * Sm)), scalar.lnot(scalar.lt(all, 2 * all_more)))
  local holds = fails and scalar.land(small, scalar.lnot(fails)) or small
  local bounds, none, least = {}, ag.no_bound(state.single), state.single and 1e-30 or 1e-290
  for i = 1, n do
    -- the roundings of x itself, of vdot, and of numbers near the smallest there are
    local whole_bound = (x[i] + 4 * more[i]) * (1 + 4096 * u) + (2 * u * scalar.abs(vdot[i]) + least)
    bounds[i] = scalar.select(scalar.land(holds, scalar.lt(whole_bound, none)), whole_bound, none)
    ag.label(bounds[i], "bound" .. chain.coordinates[i].label)
  end
  return bounds
end

-- The bounds by coordinate on the errors of vdot. tau: the torques that act, by coordinate; nu: by row, nil: no rows; make_maps(bound,
-- left): those of propagate.
function Bound.of(state, vdot, tau, nu, make_maps, fails)
  local self = Bound.new(state)
  self.u = state.single and 2 ^ -24 or 2 ^ -53
  ag.region("bound: the motion", "bound")
  local motions, left = motion.accelerations(state.robot, spatial.zero, vdot), {r2 = {}, parts = {}}
  local errors = self:of_motions(motions, vdot)
  left.motions = errors
  left.r1, left.e1, left.errors = self:dynamics(self:with_gravity(motions, errors), errors, vdot, tau, nu)
  if nu then left.r2, left.parts = self:of_rows(motions, errors, vdot) end
  return self:propagate(make_maps(self, left), left, vdot, fails)
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
  return function(self, left)
    ag.region("bound: the inverse of the system", "bound")
    local state, m, G, H, W, columns, nothing = self.state, #k, inverse_of(form, n), {}, {}, {}, {}
    for i = 1, n do nothing[i], H[i] = 0, {} end
    for j = 1, m do
      W[j] = form:accelerate(k[j])
      local unit = {}
      for l = 1, m do unit[l] = l == j and 1 or 0 end
      columns[j] = system.solve(nothing, unit)
    end
    for i = 1, n do
      for j = 1, m do
        H[i][j] = 0
        for l = 1, m do H[i][j] = H[i][j] + W[l][i] * columns[j][l] end
      end
    end
    for i = 1, n do
      for c = 1, i do
        local sum = 0
        for j = 1, m do sum = sum + H[i][j] * W[j][c] end
        G[i][c] = G[i][c] - sum
        G[c][i] = G[i][c]
      end
    end
    -- by G = G^T, how a wrench on a body moves coordinate i is how a force along i moves the body
    local function response(i)
      local moved, wrenches, first = motion.added_accelerations(state.robot, G[i]), {}, state.base and 0 or 1
      for b = first, state.chain.n do wrenches[b] = motion.momentum(state.inertias[b], moved[b]) end
      local _, carried = motion.joint_forces(state.robot, wrenches, "bound: inward, ")
      ag.region("bound: what errors do to " .. state.chain.coordinates[i].name, "bound")
      return work(left, moved, carried, first, state.chain.n)
    end
    local function shares(i)
      local sum = 0
      for j = 1, m do sum = sum + scalar.abs(H[i][j]) * scalar.abs(left.r2[j]) end
      for _, part in ipairs(left.parts) do
        local list = {}
        for at, j in ipairs(part.rows) do list[at] = H[i][j] end
        sum = sum + self.u * (norm(list) * part.e)
      end
      return sum
    end
    return {G = G, H = H, levers = self:levers(), gram = system and system.diagonal, response = response, shares = shares}
  end
end

Bound.norm, Bound.work = norm, work

return Bound
