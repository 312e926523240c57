-- SPDX-License-Identifier: MIT
-- bound_left.lua: what computed accelerations and forces leave of the equations of motion and of the rows, and the
-- errors with which that itself is computed.

local scalar = require "scalar"
local spatial = require "spatial"
local motion = require "motion"
local constraints = require "constraints"
local Bound = require "bound_turns"

local length, size, norm, across = Bound.length, Bound.size, Bound.norm, Bound.across
local twisted, matrix_error = Bound.twisted, Bound.matrix_error
local moment_error, products_error = Bound.moment_error, Bound.products_error

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

-- Errors by body of motions without gravity that motion.accelerations made for vdot (0: the base): all of them, {w, wd,
-- a}, and of wd and a those that arise at the body, {new_wd, new_a}: they go on to all bodies that it carries, as one
-- rigid motion.
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
      local there = motions[b.parent].a + motions[b.parent].U * b.p
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
    full[i] = {w = m.w, wd = m.wd, U = m.U, a = m.a - down[i]}
    e.size_full = size(full[i].a)
  end
  return full
end

-- ---- forces ----
-- Errors of wrenches are those that arise at a body, {f, n} about its origin, not those that come there from others.

-- By component, of the wrench {f, n} that the motion takes of an inertia of constants (motion.inertial_wrench, in whose
-- order the sums stand here), but for what errors of the accelerations make of it.
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
  n[1] = n[1] + products_error {element(3, 2, yy), element(2, 3, -zz), element(3, 1, xy), element(2, 1, -xz),
    apart(3, 2, yz)}
  n[2] = n[2] + products_error {element(1, 3, zz), element(3, 1, -xx), element(1, 2, yz), element(3, 2, -xy),
    apart(1, 3, xz)}
  n[3] = n[3] + products_error {element(2, 1, xx), element(1, 2, -yy), element(2, 3, xz), element(1, 3, -yz),
    apart(2, 1, xy)}
  return f, n
end

local function add_error(list, body, f, n)
  local e = list[body] or {f = 0, n = 0}
  e.f, e.n = e.f + f, e.n + n
  list[body] = e
end

-- Of a wrench of sizes F and N along axes of the base at the frame's origin, turned to its body; own: its own errors.
-- size, own: {f, n}.
function Bound:given_error(errors, frame, k, size, own)
  local F, N = size.f, size.n
  local p = length(frame.p)
  add_error(errors, frame.body, 0, k * N + own.n + N + 5 * (p * F))
  local list = errors[frame.body].points or {}
  list[#list + 1] = {p = frame.p, f = k * F + own.f}
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
      s.f, s.n = s.f + nu[j] * row.dir.lin, s.n + nu[j] * row.dir.ang
      s.F = s.F + scalar.abs(nu[j]) * size(row.dir.lin)
      s.N = s.N + scalar.abs(nu[j]) * size(row.dir.ang)
    end
  end
  for _, g in ipairs(sums) do
    ag.region("bound: forces of the rows of " .. g.name, g.name)
    local s, frame, f, n = sums[g], g.frame, nil, nil
    local oblique = g.axes == "input" or g.free
    if constraints.linked(g) then
      f, n = frame.R * s.f, frame.R * s.n
    else
      f, n = state:to_body(frame.body, s.f), state:to_body(frame.body, s.n)
    end
    motion.put_wrench(wrenches, frame.body, {f = f, n = n + spatial.cross(frame.p, f)})
    local own = oblique and #g.rows + 1 or 0
    local k = self.turned[frame.body] + (constraints.linked(g) and matrix_error + 1 or 0)
    self:given_error(errors, frame, k, {f = norm(s.f), n = norm(s.n)}, {f = own * s.F, n = own * s.N})
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
      add_error(errors, b.parent, twisted(b, f),
        twisted(b, n + spatial.cross(arm, f)) + moment_error(arm, f, n, b.prismatic))
      local sums = total[b.parent] ~= nil
      motion.put_wrench(total, b.parent, on)
      if sums then add_error(errors, b.parent, size(total[b.parent].f), size(total[b.parent].n)) end
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
    if wrenches[w.frame.body] then
      self:given_error(errors, w.frame, self.turned[w.frame.body], {f = norm(w.f), n = norm(w.n)}, {f = 0, n = 0})
    end
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
        local e = size(row.dir.lin) * (kinds.lin + 4 * kinds.size_lin) +
          size(row.dir.ang) * (kinds.ang + 4 * kinds.size_ang)
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

-- What the errors of wd and a that arise on the way to a frame's body make at the frame: {of its acceleration, of wd}.
-- A body turns all that it carries, by as much as the frame is from it.
function Bound:carried_error(of_motions, frame)
  local robot, i, from = self.robot, frame.body, frame.p
  local e_a, e_wd = of_motions[i].new_a + norm(from) * of_motions[i].new_wd, of_motions[i].new_wd
  while i > 0 do
    local b = robot.bodies[i]
    if b.prismatic then from = from + spatial.vector {0, 0, b.q} end
    i, from = b.parent, motion.to_parent(b, from) + b.p
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
  local lin = m.a + m.U * frame.p
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

return Bound
