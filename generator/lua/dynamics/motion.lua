-- SPDX-License-Identifier: MIT
-- motion.lua: how the bodies move, outward from the base, and the forces that this takes.
--
-- No linear velocities: each body carries, in its own axes, its angular velocity w, its angular
-- acceleration wd, and the CLASSICAL acceleration a of its origin, with gravity as an upward
-- acceleration of the base (a_0 = -g). With
--     U = [wd]x + w w^T - (w . w) 1
-- a point r fixed in the body has the acceleration a + U r.
--
-- A ball joint is three bodies at its centre, b.ball = 1, 2, 3, whose joints turn about the child's x, y and z: the
-- first stands behind the rotation R(quaternion), the others at constant rotations, so that S, the three axes, is
-- constant in the child. Its velocities are the components of the child's angular velocity w_r relative to the parent p
-- along the child's axes. With w = E w_p + w_r, and S at rest in the child,
--     wd = E wd_p + (E w_p) x w_r + qdd,   because   S' w_r = w x w_r = (E w_p) x w_r
-- Three joints one behind the other would add w_1 x w_2 + (w_1 + w_2) x w_3 of their own velocities, which a ball has
-- not: its axes all turn with the child. So each of the three takes E w_p, `outer`, in the place of its parent's w, and
-- the rate of its axis is (w of the child) x z. The first two bodies have no mass, and their wd is a part of the sum.
-- Source: Featherstone, Rigid Body Dynamics Algorithms, 2008, 4.4 (S and c_J of a spherical joint).
--
-- Coordinates: the velocities of a moving base come first, then those of the joints. Inside, the base's are the
-- components of its twist at its origin along its own axes, linear x y z, then angular x y z (planar: x, y, yaw).

local scalar = require "scalar"
local spatial = require "spatial"

local motion = {}

-- Vectors and wrenches between a body's frame and its parent's: first or last the constant twist
-- Rz(gamma) Rx(alpha), then the joint's spin Rz(theta + q).
-- Of a ball the rotation M is given, and nothing spins.
function motion.twist(b, v)
  if b.M then return b.M * v end
  return spatial.rz(b.cg, b.sg, spatial.rx(b.ca, b.sa, v))
end
function motion.untwist(b, v)
  if b.M then return spatial.mul_transposed(b.M, v) end
  return spatial.rx(b.ca, -b.sa, spatial.rz(b.cg, -b.sg, v))
end
-- The same of tensors: symmetric ones, general ones.
function motion.twist_symmetric(b, J)
  if b.M then return spatial.rotate_symmetric(b.M, J) end
  return spatial.rz_symmetric(b.cg, b.sg, spatial.rx_symmetric(b.ca, b.sa, J))
end
function motion.twist_general(b, H)
  if b.M then return b.M * spatial.matrix {H[1], H[2], H[3]} * spatial.transpose(b.M) end
  return spatial.rz_general(b.cg, b.sg, spatial.rx_general(b.ca, b.sa, H))
end
function motion.spin(b, v) return spatial.rz(b.c, b.s, v) end
function motion.unspin(b, v) return spatial.rz(b.c, -b.s, v) end
function motion.to_body(b, v) return motion.unspin(b, motion.untwist(b, v)) end
function motion.to_parent(b, v) return motion.twist(b, motion.spin(b, v)) end

-- The arm from the parent's origin to the body's, seen after the twist; a sliding joint lengthens it.
function motion.arm(b)
  if b.prismatic then return spatial.vector {b.arm[1], b.arm[2], b.arm[3] + b.q} end
  if b.M then return b.lever end
  return b.arm
end

-- A wrench {f, n} about the body's origin, about its parent's in the parent's axes:
-- n + p x f, done after the spin, where p has two components at most.
function motion.wrench_to_parent(b, wrench)
  local f, n = motion.spin(b, wrench.f), motion.spin(b, wrench.n)
  return {f = motion.twist(b, f), n = motion.twist(b, n + spatial.cross(motion.arm(b), f))}
end

-- Of joints with parallel axes the angles add up: D Rz(theta) D' Rz(phi) = D D' Rz(phi +- theta), D and D' turns about
-- x by half a turn or none. turn: {c, s, flip} = D Rz; past joint b's own angle, before its twist:
local function turn_further(b, turn)
  local s = turn.flip and -b.s or b.s
  return {c = b.c * turn.c - s * turn.s, s = s * turn.c + b.c * turn.s, flip = turn.flip}
end
local function turned(turn, v)
  local r = spatial.rz(turn.c, turn.s, v)
  return turn.flip and spatial.vector {r[1], -r[2], -r[3]} or r
end
-- Is the axis of body b parallel to its parent's?
local function is_parallel(b)
  return not b.prismatic and not b.M and scalar.is_zero(b.sa) and scalar.is_zero(b.sg) and scalar.is_one(b.cg)
end

-- What joints feel of a wrench on body i on its way to the base: calls feels(j, the wrench about body j's origin in its
-- axes) for i and those before it; returns it at body 0. Past joints with parallel axes the wrench is turned at once,
-- by the sum of their angles: of what is between, only what joints feel is ever used. Without robot.sums joint by
-- joint.
function motion.carry_wrench(robot, i, wrench, feels)
  robot.turns = robot.turns or {}
  -- top: where the parallel axes begin; turn and place of it from here
  local here, top, turn, at = wrench, wrench, nil, nil
  while i > 0 do
    local b, known = robot.bodies[i], nil
    feels(i, here)
    local key = (turn and turn.key or "") .. " " .. i
    known = robot.turns[key]
    if not known then
      local spun = turn and not b.prismatic and turn_further(b, turn) or {c = b.c, s = b.s, flip = false}
      known = {spun = spun, at = motion.twist(b, motion.spin(b, at or spatial.zero) + motion.arm(b)), key = key}
      known.c, known.s, known.flip = spun.c, spun.s, spun.flip ~= not scalar.is_one(b.ca)
      robot.turns[key] = known
    end
    if not turn or b.prismatic then
      here = motion.wrench_to_parent(b, here)
    else
      local f = motion.twist(b, turned(known.spun, top.f))
      here = {f = f, n = motion.twist(b, turned(known.spun, top.n)) + spatial.cross(known.at, f)}
    end
    if robot.sums and is_parallel(b) then
      turn, at = known, known.at
    else
      top, turn, at = here, nil, nil
    end
    i = b.parent
  end
  return here
end

-- Are axes of joints that follow each other parallel?
function motion.has_parallel_axes(chain)
  for i = 1, chain.n do
    local b = chain.bodies[i]
    if b.parent > 0 and not chain.bodies[b.parent].prismatic and is_parallel(b) then return true end
  end
  return false
end

function motion.add_wrench(a, b) return {f = a.f + b.f, n = a.n + b.n} end
function motion.sub_wrench(a, b) return {f = a.f - b.f, n = a.n - b.n} end
function motion.scale_wrench(k, a) return {f = k * a.f, n = k * a.n} end
motion.no_wrench = {f = spatial.zero, n = spatial.zero}

-- Adds a wrench to that of its body in a list.
function motion.put_wrench(list, body, wrench)
  list[body] = list[body] and motion.add_wrench(list[body], wrench) or wrench
end

-- What the freedoms of the base feel of a wrench on it (virtual work), the motion {w, v} of its coordinates, and
-- those of 1 each. nb: how many freedoms it has, 0, 3 or 6.
function motion.along_base(nb, wrench)
  local f, n = wrench.f, wrench.n
  if nb == 0 then return {} end
  if nb == 3 then return {f[1], f[2], n[3]} end
  return {f[1], f[2], f[3], n[1], n[2], n[3]}
end
function motion.base_freedoms(nb)
  local list = {}
  for c = 1, nb do
    local unit = {0, 0, 0, 0, 0, 0}
    unit[c] = 1
    list[c] = motion.base_motion(nb, unit)
  end
  return list
end
function motion.base_motion(nb, x)
  if nb == 0 then return {w = spatial.zero, v = spatial.zero} end
  if nb == 3 then return {w = spatial.vector {0, 0, x[3]}, v = spatial.vector {x[1], x[2], 0}} end
  return {w = spatial.vector {x[4], x[5], x[6]}, v = spatial.vector {x[1], x[2], x[3]}}
end

-- S^T f: what a joint feels of a wrench on its body.
function motion.along_joint(b, wrench) return b.prismatic and wrench.f[3] or wrench.n[3] end

-- A joint that mimics another moves by ratio times the other's: chain.joint_of[i] is the joint that moves
-- body i, chain.ratio[i] its ratio (1 without mimic).
-- A dependent joint of a linkage (linkages.lua) moves by several: chain.embedded[i] has these, chain.drift[i] its
-- acceleration where theirs is zero.
-- The joints that move body i: {{joint, ratio}}.
function motion.moves(chain, i)
  local several = chain.embedded and chain.embedded[i]
  return several or {{joint = chain.joint_of[i], ratio = chain.ratio[i]}}
end

-- Per body from per joint, which stands behind `skipped` others: velocities, accelerations.
function motion.per_body(chain, per_joint, skipped)
  local r = {}
  for i = 1, chain.n do
    local sum = 0
    for k, m in ipairs(motion.moves(chain, i)) do
      local x = m.ratio * per_joint[(skipped or 0) + m.joint]
      sum = k == 1 and x or sum + x
    end
    r[i] = sum
  end
  return r
end

-- Per joint from per body: forces (virtual work).
function motion.per_joint(chain, per_body)
  local r = {}
  for j = 1, chain.nj do r[j] = 0 end
  for i = 1, chain.n do
    for _, m in ipairs(motion.moves(chain, i)) do r[m.joint] = r[m.joint] + m.ratio * per_body[i] end
  end
  return r
end

-- Rotor inertias {[body] = d} times the ratio, so that per_joint sums ratio^2 d; a body without has none.
function motion.scaled_by_ratio(chain, armature)
  local r = {}
  for i = 1, chain.n do r[i] = chain.ratio[i] * (armature[i] or 0) end
  return r
end

-- A body of a chain in a state: its joint's position and velocity, cosine and sine of it; turn: the rotation of a ball,
-- of the first body of one.
function motion.body(of, q, qd, c, s, turn)
  local b = setmetatable({q = q, qd = qd}, {__index = of})
  if b.prismatic or b.ball then
    b.c, b.s = b.ct, b.st
  else
    b.c, b.s = b.ct * c - b.st * s, b.st * c + b.ct * s
  end
  if b.before then
    b.M = b.before * turn * b.after
    b.lever = spatial.mul_transposed(b.M, b.p)
  end
  return b
end

-- The robot with this state, q and qd per body: bodies get q, qd and the cosine and sine of theta + q. trig: {c, s} by
-- body, and turn: the rotations of balls, by their first bodies. base: of a moving base {R = its rotation in the world,
-- w, v = its twist at its origin in its axes}; nil: it is fixed.
function motion.robot(chain, q, qd, trig, base)
  local robot = {n = chain.n, nb = chain.nb, bodies = {}, frames = chain.frames, chain = chain, base = base}
  for i = 1, chain.n do
    local turn = trig.turn and trig.turn[i]
    robot.bodies[i] = motion.body(chain.bodies[i], q[i], qd and qd[i], trig.c[i], trig.s[i], turn)
  end
  return robot
end

local function outward(b, what)
  ag.region("outward: " .. what .. ", " .. b.link.joint.name .. " -> " .. b.link.name, b.link.id, 2)
end
motion.outward_region = outward

-- Names in the emitted text of vectors, 3 x 3 matrices, wrenches and motions, where they become statements.
local axes = {"x", "y", "z"}
function motion.hint_vector(v, name)
  ag.hint(v, {name .. "_x", name .. "_y", name .. "_z"})
  return v
end
function motion.hint_matrix(M, name)
  for i = 1, 3 do
    local row = name .. "_" .. axes[i]
    ag.hint(M[i], {row .. "x", row .. "y", row .. "z"})
  end
  return M
end
function motion.hint_wrench(wrench, force, moment)
  motion.hint_vector(wrench.f, force)
  motion.hint_vector(wrench.n, moment)
  return wrench
end

-- U = [wd]x + w r^T - (w . r) 1; r: the angular velocity of which wd is the rate, nil: w.
local function acceleration_tensor(w, wd, r)
  r = r or w
  local xx, yy, zz = w[1] * r[1], w[2] * r[2], w[3] * r[3]
  local xy, xz, yz = w[1] * r[2], w[1] * r[3], w[2] * r[3]
  local yx, zx, zy = w[2] * r[1], w[3] * r[1], w[3] * r[2]
  return spatial.matrix {
    {-(yy + zz), xy - wd[3], xz + wd[2]}, {yx + wd[3], -(xx + zz), yz - wd[1]}, {zx - wd[2], zy + wd[1], -(xx + yy)},
    squares = {xx, yy, zz},
  }
end

motion.acceleration_tensor = acceleration_tensor

-- What the joints of a ball behind body i turn with, along the axes of body i; nothing where it has none there.
local function ball_rest(robot, i)
  local b = robot.bodies[i]
  if not b.ball or b.ball == 3 then return spatial.zero end
  local next_one = robot.bodies[i + 1]
  return motion.to_parent(next_one, ball_rest(robot, i + 1) + {0, 0, next_one.qd})
end
motion.ball_rest = ball_rest

-- The motion {w, wd, a, U} of body b from its parent's, and outer: E w_p of a ball; rate: its joint's acceleration,
-- nil: zero.
function motion.outward_step(b, from, rate)
  outward(b, "velocity and acceleration")
  local w, wd = motion.to_body(b, from.w), motion.to_body(b, from.wd)
  local a = motion.to_body(b, from.a + from.U * b.p)
  local m
  if b.prismatic then
    -- a = E (a_p + U_p p) + U z q + 2 w x z qd + z qdd
    m = {w = w, wd = wd, U = acceleration_tensor(w, wd)}
    m.a = a + b.q * spatial.column(m.U, 3)
    m.a = m.a + {2 * (w[2] * b.qd), -2 * (w[1] * b.qd), 0}
    if rate then m.a = m.a + {0, 0, rate} end
  else
    -- w = E w_p + z qd, wd = E wd_p + (E w_p) x z qd + z qdd
    local outer = b.ball and b.ball > 1 and motion.to_body(b, from.outer) or w
    m = {w = w + {0, 0, b.qd}, outer = b.ball and outer}
    m.wd = wd + {outer[2] * b.qd, -(outer[1] * b.qd), rate or 0}
    m.U = acceleration_tensor(m.w, m.wd)
    m.a = a
  end
  return m
end

-- Outward sweep: w, wd, a, U of every body for the accelerations vdot by coordinate (nil: zero, the motion that
-- position and velocity alone cause; the base's are classical). upward: -g along the axes of the world (fixed
-- base: of the base). root: the acceleration {v, w} that a fixed base is given, nil: none. Body 0 is the base.
function motion.accelerations(robot, upward, vdot, root)
  local qdd = vdot and motion.per_body(robot.chain, vdot, robot.nb)
  local base = root or motion.base_motion(robot.nb, vdot or {0, 0, 0, 0, 0, 0})
  local w = robot.base and robot.base.w or spatial.zero
  local a = robot.base and spatial.mul_transposed(robot.base.R, upward) or upward
  local motions, rates = {[0] = {w = w, wd = base.w, a = a + base.v, U = acceleration_tensor(w, base.w)}}, {}
  for i, b in ipairs(robot.bodies) do
    local rate, drift = qdd and qdd[i], robot.chain.drift and robot.chain.drift[i]
    if drift then rate = rate and rate + drift or drift end
    rates[i] = rate or 0
    local m = motion.outward_step(b, motions[b.parent], rate)
    for k, axis in ipairs {"x", "y", "z"} do
      ag.label(m.w[k], "w_" .. axis, true)
      ag.label(m.wd[k], "wd_" .. axis, true)
      ag.label(m.a[k], "a_" .. axis, true)
    end
    motion.hint_matrix(m.U, "U")
    ag.hint(m.U.squares, {"ww_xx", "ww_yy", "ww_zz"})
    motions[i] = m
  end
  motions.rates = rates
  return motions
end

-- Of a fixed base that is given the acceleration `root` ({v, w}, nil: none): by body what it has of that, were its
-- joints rigid.
function motion.carried_by_root(robot, root)
  local carried = {[0] = root}
  if not root then return carried end
  for i, b in ipairs(robot.bodies) do carried[i] = motion.carry(b, carried[b.parent]) end
  return carried
end

-- The wrench that body inertia {m, h, I} needs to move so (Newton, Euler), about its origin: every
-- particle at r has the acceleration a + U r, so
--   f = m a + U h
--   n = int r x (a + U r) dm = h x a + vee(U Sigma - (U Sigma)^T), Sigma = int r r^T dm: for x,
--       U_zx S_xy + U_zy S_yy - U_yx S_xz - U_yz S_zz + (U_zz - U_yy) S_yz
function motion.inertial_wrench(inertia, m)
  local U, squares, Sigma = m.U, m.U.squares, spatial.second_moments(inertia.I)
  local xx, xy, xz, yy, yz, zz = Sigma[1], Sigma[2], Sigma[3], Sigma[4], Sigma[5], Sigma[6]
  local f = inertia.m * m.a + U * inertia.h
  -- differences of U's diagonal: U_zz - U_yy = w_z^2 - w_y^2
  local n = spatial.vector {
    U[3][2] * yy - U[2][3] * zz + U[3][1] * xy - U[2][1] * xz + (squares[3] - squares[2]) * yz,
    U[1][3] * zz - U[3][1] * xx + U[1][2] * yz - U[3][2] * xy + (squares[1] - squares[3]) * xz,
    U[2][1] * xx - U[1][2] * yy + U[2][3] * xz - U[1][3] * yz + (squares[2] - squares[1]) * xy,
  }
  return motion.hint_wrench({f = f, n = n + spatial.cross(inertia.h, m.a)}, "f", "n")
end

-- Inward sweep of RNEA: the forces, by coordinate, that carry the wrenches (one per body; 0: the base) and what acts
-- along joints (wrenches.along by body, nil: nothing); and by body the sum of its wrench and those of all bodies that
-- it carries.
function motion.joint_forces(robot, wrenches, title)
  local total, tau, along = {}, {}, wrenches.along or {}
  for i = 0, robot.n do total[i] = wrenches[i] end
  for i = robot.n, 1, -1 do
    local b = robot.bodies[i]
    ag.region((title or "inward: forces, ") .. b.link.name .. " -> " .. b.link.joint.name, b.link.id)
    if total[i] then motion.hint_wrench(total[i], "f_sum", "n_sum") end
    tau[i] = total[i] and motion.along_joint(b, total[i]) or 0
    if along[i] then tau[i] = tau[i] + along[i] end
    if total[i] and (b.parent > 0 or robot.base) then
      motion.put_wrench(total, b.parent, motion.hint_wrench(motion.wrench_to_parent(b, total[i]), "f_on", "n_on"))
    end
  end
  local forces = motion.along_base(robot.nb, total[0] or motion.no_wrench)
  for j, x in ipairs(motion.per_joint(robot.chain, tau)) do forces[robot.nb + j] = x end
  return forces, total
end

-- What inertia {m, h, I} makes of a motion {w, v} of its origin: momentum of a twist, the wrench of an acceleration:
-- {f, n} = {m v + w x h, I w + h x v}.
function motion.momentum(inertia, d)
  return {
    f = inertia.m * d.v + spatial.cross(d.w, inertia.h),
    n = spatial.symmetric_mul(inertia.I, d.w) + spatial.cross(inertia.h, d.v),
  }
end

-- How much acceleration vdot, by coordinate, adds to the motion without: spatial, {w, v} at each body's
-- origin. da_i = X da_p + S qdd (the velocity terms are the same with and without).
function motion.added_accelerations(robot, vdot)
  local qdd = motion.per_body(robot.chain, vdot, robot.nb)
  local added = {[0] = motion.base_motion(robot.nb, vdot)}
  for i, b in ipairs(robot.bodies) do
    outward(b, "acceleration")
    added[i] = motion.add_joint(b, motion.carry(b, added[b.parent]), qdd[i])
    motion.hint_vector(added[i].w, "dwd")
    motion.hint_vector(added[i].v, "da")
  end
  return added
end

-- X m: the motion {w, v} of the parent at the body's origin in the body's axes.
function motion.carry(b, m)
  local w, v = motion.untwist(b, m.w), motion.untwist(b, m.v)
  return {w = motion.unspin(b, w), v = motion.unspin(b, v + spatial.cross(w, motion.arm(b)))}
end

-- Its inverse: the motion {w, v} of a body at its parent's origin in the parent's axes.
function motion.carry_inward(b, m)
  local w, v = motion.spin(b, m.w), motion.spin(b, m.v)
  return {w = motion.twist(b, w), v = motion.twist(b, v - spatial.cross(w, motion.arm(b)))}
end

function motion.add_joint(b, m, rate)
  if b.prismatic then return {w = m.w, v = m.v + {0, 0, rate}} end
  return {w = m.w + {0, 0, rate}, v = m.v}
end

-- Twists {w, v} of every body at its origin, in its axes.
function motion.twists(robot)
  local base = robot.base
  local twists = {[0] = base and {w = base.w, v = base.v} or {w = spatial.zero, v = spatial.zero}}
  for i, b in ipairs(robot.bodies) do
    outward(b, "twist")
    twists[i] = motion.add_joint(b, motion.carry(b, twists[b.parent]), b.qd)
    motion.hint_vector(twists[i].w, "w")
    motion.hint_vector(twists[i].v, "v")
  end
  return twists
end

-- The pose {p, R} of a body where its parent's is `from`. sums: R by the sum of the angles of joints with parallel
-- axes, from the columns where these begin and the turn from there.
local function next_pose(b, from, sums)
  if sums and from.before and is_parallel(b) then
    local flip = from.turn.flip ~= not scalar.is_one(b.ca)
    local s = flip and -b.s or b.s
    local turn = {c = b.c * from.turn.c - s * from.turn.s, s = s * from.turn.c + b.c * from.turn.s, flip = flip}
    local x, y, z = from.before[1], from.before[2], from.before[3]
    local xs = turn.c * x + turn.s * y
    local ys = turn.c * y - turn.s * x
    local R = flip and {xs, -ys, -z} or {xs, ys, z}
    return {p = from.p + from.R * b.p, R = spatial.transpose(R), before = from.before, turn = turn}
  end
  if b.M then return {p = from.p + from.R * b.p, R = from.R * b.M} end
  -- columns of R_p Rz(gamma) Rx(alpha), then the spin: linear combinations of columns
  local x, y, z = spatial.column(from.R, 1), spatial.column(from.R, 2), spatial.column(from.R, 3)
  local xg = b.cg * x + b.sg * y
  local yg = b.cg * y - b.sg * x
  local ya = b.ca * yg + b.sa * z
  local za = b.ca * z - b.sa * yg
  local p = from.p + from.R * b.p
  if b.prismatic then p = p + b.q * za end
  local xs = b.c * xg + b.s * ya
  local ys = b.c * ya - b.s * xg
  return {p = p, R = spatial.transpose {xs, ys, za}, before = not b.prismatic and {xg, ya, za},
    turn = {c = b.c, s = b.s, flip = false}}
end

motion.next_pose = next_pose

-- Poses {p, R} of every body: origin from the base's, along the axes of the world (fixed base: of the base).
function motion.poses(robot)
  local poses = {[0] = {p = spatial.zero, R = robot.base and robot.base.R or spatial.identity}}
  for i, b in ipairs(robot.bodies) do
    outward(b, "pose")
    poses[i] = next_pose(b, poses[b.parent], robot.sums)
    motion.hint_vector(poses[i].p, "p")
    motion.hint_matrix(poses[i].R, "R")
  end
  return poses
end

-- The bodies on the way from body i down to its ancestor a, i first, a not.
function motion.way(robot, i, a)
  local list = {}
  while i ~= a do
    list[#list + 1] = i
    i = robot.bodies[i].parent
  end
  return list
end

-- The last body that carries both.
function motion.common(robot, i, j)
  while i ~= j do
    if i > j then i = robot.bodies[i].parent else j = robot.bodies[j].parent end
  end
  return i
end

-- The pose {p, R} of body i in its ancestor a, and its twist {w, v} as seen from there, at its origin in its axes
-- (velocities without qd are zero).
function motion.seen_from(robot, i, a)
  local pose, twist = {p = spatial.zero, R = spatial.identity}, {w = spatial.zero, v = spatial.zero}
  local way = motion.way(robot, i, a)
  for k = #way, 1, -1 do
    local b = robot.bodies[way[k]]
    outward(b, "pose and twist")
    pose = next_pose(b, pose)
    twist = motion.add_joint(b, motion.carry(b, twist), b.qd or 0)
  end
  return pose, twist
end

-- (v x S)^T f: what the rate of the axis of joint i feels of a wrench on its body, which moves with the twist {w, v};
-- of a ball's with that of the child.
function motion.along_moving_joint(robot, i, twist, wrench)
  local b, w, v, f, n = robot.bodies[i], twist.w, twist.v, wrench.f, wrench.n
  if b.ball then w = w + ball_rest(robot, i) end
  if b.prismatic then return f[1] * w[2] - f[2] * w[1] end
  return (n[1] * w[2] - n[2] * w[1]) + (f[1] * v[2] - f[2] * v[1])
end

-- The weight of an inertia about its origin, {m g, h x g}, g along its axes.
function motion.weight(inertia, g) return {f = inertia.m * g, n = spatial.cross(inertia.h, g)} end

return motion
