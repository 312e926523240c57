-- SPDX-License-Identifier: MIT
-- frames.lua: the generator's own link frames and base parameters. Plain numbers only.
--
-- Frame {i} of a moving body has z along its joint axis and, where the body carries another joint,
-- x along the common normal of the two axes and its origin at the foot of that normal (modified DH:
-- Khalil and Kleinfinger 1986 for trees, Craig 1989 for chains). The pose of {i} in its parent's
-- frame is then
--     Tp(p) Rz(gamma) Rx(alpha) Rz(theta + q)      revolute
--     Tp(p) Rz(gamma) Rx(alpha) Tz(q) Rz(theta)    prismatic
-- with gamma = 0 for the child that the parent's frame was laid for, and twists of 0 and +-90
-- degrees, which cost no operation, wherever consecutive axes are parallel or at right angles.
--
-- A ball joint is three bodies that turn about the child's x, y and z, all at its centre (motion.lua). The pose of the
-- first is Tp(p) before R(quaternion) after, with constant rotations before and after.

local spatial = require "spatial"

local F = {}

-- Axes closer than this to parallel [rad] have their common normal far away (Gen3 6DOF as written:
-- 56 km): such a body keeps its own origin, and its child a general transform.
local nearly_parallel = 1e-3
-- Below this a number is what rounding left of 0, 1 or -1.
local rounding = 1e-15

local function clean(x, scale)
  if math.abs(x) < rounding * scale then return 0 end
  if math.abs(x - 1) < rounding then return 1 end
  if math.abs(x + 1) < rounding then return -1 end
  return x
end

local function clean_vector(v)
  local scale = math.max(1, math.abs(v[1]), math.abs(v[2]), math.abs(v[3]))
  local r = {}
  for k = 1, 3 do r[k] = math.abs(v[k]) < rounding * scale and 0 or v[k] end
  return spatial.vector(r)
end

local function clean_matrix(R)
  local C = {}
  for i = 1, 3 do
    C[i] = {}
    for j = 1, 3 do C[i][j] = clean(R[i][j], 1) end
  end
  return spatial.matrix(C)
end

-- A first moment that is rounding beside the others is none.
local function clean_inertia(inertia)
  local h, I, most = inertia.h, inertia.I, 0
  for k = 1, 3 do most = math.max(most, math.abs(h[k])) end
  for k = 1, 3 do
    if math.abs(h[k]) < rounding * most then h[k] = 0 end
  end
  return {m = inertia.m, h = h, I = I}
end

local function norm(v) return math.sqrt(spatial.dot(v, v)) end

-- A rotation whose third column is the unit vector a; axes of the frame are kept where a is one.
local function align_z(a)
  local largest = 1
  for k = 2, 3 do
    if math.abs(a[k]) > math.abs(a[largest]) then largest = k end
  end
  local sign = a[largest] < 0 and -1 or 1
  -- the cyclic permutation that brings the largest axis to z, turned about x where it points back
  local second = spatial.vector {0, 0, 0}
  second[(largest + 1) % 3 + 1] = sign
  local x = spatial.cross(second, a)
  x = (1 / norm(x)) * x
  local y = spatial.cross(a, x)
  return clean_matrix(spatial.transpose {x, y, a})
end

-- R = Rz(gamma) Rx(alpha) Rz(theta), as cosines and sines. R33 = cos alpha; the third column is
-- sin alpha (sin gamma, -cos gamma), the third row sin alpha (sin theta, cos theta).
local function zxz(R)
  R = clean_matrix(R)
  local sa = math.sqrt(R[1][3] * R[1][3] + R[2][3] * R[2][3])
  if sa == 0 then -- gamma and theta act as one: theta
    local up = R[3][3] > 0 and 1 or -1
    return {cg = 1, sg = 0, ca = up, sa = 0, ct = R[1][1], st = up * R[2][1]}
  end
  local cg, sg = clean(-R[2][3] / sa, 1), clean(R[1][3] / sa, 1)
  -- gamma + pi with -alpha is the same rotation: keep gamma within a right angle of 0
  if cg < 0 then cg, sg, sa = -cg, -sg, -sa end
  local ct, st
  -- theta from the first row turned back by gamma: (cos theta, -sin theta) = row 1 of Rz(-gamma) R
  ct = clean(cg * R[1][1] + sg * R[2][1], 1)
  st = clean(-(cg * R[1][2] + sg * R[2][2]), 1)
  return {cg = cg, sg = sg, ca = R[3][3], sa = clean(sa, 1), ct = ct, st = st}
end

-- Rz(gamma) Rx(alpha)
local function twist_matrix(t)
  return spatial.matrix {
    {t.cg, -t.sg * t.ca, t.sg * t.sa},
    {t.sg, t.cg * t.ca, -t.cg * t.sa},
    {0, t.sa, t.ca},
  }
end

-- Where frame {i} stands in the body's axis-aligned frame (z along the joint, origin of the URDF's):
-- turned by phi about z and moved by `shift`. child: pose of the main child's aligned frame, foot:
-- the child's own shift, already chosen.
local function lay_frame(prismatic, child, foot)
  local u = spatial.column(child.R, 3) -- the child's axis
  local origin = child.p + child.R * foot
  local sine = math.sqrt(u[1] * u[1] + u[2] * u[2])
  if sine < nearly_parallel and sine > 0 then return {cp = 1, sp = 0, shift = spatial.zero} end
  local nx, ny, shift
  if sine == 0 then -- parallel: x towards the child's axis, origin level with the child's
    local reach = math.sqrt(origin[1] * origin[1] + origin[2] * origin[2])
    nx, ny = 1, 0
    if reach > 1e-9 then nx, ny = origin[1] / reach, origin[2] / reach end
    shift = {0, 0, origin[3]}
  else
    nx, ny = -u[2] / sine, u[1] / sine
    -- the point of this axis nearest to the child's axis p + s u: s = -(p . h) / |h|^2 with h the
    -- part of u square to z, then up along z
    local s = -(origin[1] * u[1] + origin[2] * u[2]) / (sine * sine)
    shift = {0, 0, origin[3] + s * u[3]}
  end
  if prismatic then shift = origin end -- any point of a sliding body will do: the child's origin
  if nx < -rounding or (math.abs(nx) <= rounding and ny < 0) then nx, ny = -nx, -ny end
  return {cp = clean(nx, 1), sp = clean(ny, 1), shift = clean_vector(shift)}
end

-- Number of bodies that each body carries, itself included.
local function weights(bodies)
  local w = {}
  for i = #bodies, 1, -1 do
    w[i] = (w[i] or 0) + 1
    local p = bodies[i].parent
    if p > 0 then w[p] = (w[p] or 0) + w[i] end
  end
  return w
end

-- A leaf's frame may turn about z as it likes: by `leaf` "link" it stays the URDF's, which keeps rows at the
-- tip cheap; by "mass" x points to the centre of mass, which makes the first moment's y 0.
local function leaf_frame(leaf, body, aligned)
  local c, s = 1, 0
  if leaf == "mass" then
    local h = spatial.mul_transposed(aligned.R, body.inertia.h)
    local reach = math.sqrt(h[1] * h[1] + h[2] * h[2])
    if reach > 0 then c, s = clean(h[1] / reach, 1), clean(h[2] / reach, 1) end
  end
  return {cp = c, sp = s, shift = spatial.zero}
end

-- ag.reduce(selection), its lists as vectors and matrices.
function F.reduce(selection)
  local reduced = ag.reduce(selection)
  local function pose(of) spatial.vector(of.p); spatial.matrix(of.R) end
  spatial.vector(reduced.base.h)
  for _, b in ipairs(reduced.bodies) do
    pose(b.origin)
    spatial.vector(b.axis)
    spatial.vector(b.inertia.h)
  end
  for _, f in ipairs(reduced.frames) do pose(f) end
  return reduced
end

-- The first body of a ball joint: before, from its parent to where the ball's quaternion turns from, and after, from
-- the child's axes to its own; in place of twist and theta. The other two follow by constant rotations.
local function turn_whole(body, before, after)
  body.before, body.after = clean_matrix(before), clean_matrix(after)
  body.cg, body.sg, body.ca, body.sa, body.ct, body.st = 1, 0, 1, 0, 1, 0
end

-- reduced: what F.reduce returns; leaf: "link" or "mass". Gives bodies {parent, prismatic, cg, sg, ca, sa, ct, st, p,
-- inertia} and frames {body, p, R} in the generator's own frames; body 0 is the base, whose frame is the URDF's.
function F.build(reduced, leaf)
  local bodies = reduced.bodies
  local n = #bodies
  local weight, main = weights(bodies), {}
  for i = n, 1, -1 do
    local p = bodies[i].parent
    if p > 0 and bodies[i].ball ~= 1 and (not main[p] or weight[i] >= weight[main[p]]) then main[p] = i end
  end

  local aligned = {} -- z along the joint, in the URDF frame of the body
  for i = 1, n do aligned[i] = {p = spatial.zero, R = align_z(bodies[i].axis)} end
  aligned[0] = {p = spatial.zero, R = spatial.identity}
  local relative = {} -- aligned frame in the parent's aligned frame, at q = 0
  for i = 1, n do
    local b = bodies[i]
    local pose = spatial.pose_mul(spatial.pose_mul(spatial.pose_inverse(aligned[b.parent]), b.origin), aligned[i])
    relative[i] = {p = clean_vector(pose.p), R = clean_matrix(pose.R)}
  end

  local laid = {[0] = {cp = 1, sp = 0, shift = spatial.zero}}
  for i = n, 1, -1 do
    local c = main[i]
    if c then
      laid[i] = lay_frame(bodies[i].prismatic, relative[c], laid[c].shift)
      if bodies[i].ball then laid[i].shift = spatial.zero end -- the three of a ball have one origin
    else
      laid[i] = leaf_frame(leaf, bodies[i], aligned[i])
    end
  end
  local own = {} -- the generator's frame in the URDF frame of the body
  for i = 0, n do
    local l = laid[i]
    own[i] = spatial.pose_mul(aligned[i],
      {p = l.shift, R = spatial.matrix {{l.cp, -l.sp, 0}, {l.sp, l.cp, 0}, {0, 0, 1}}})
  end

  local chain = {n = n, bodies = {[0] = {inertia = reduced.base}}, frames = {}}
  for i = 1, n do
    local b, l = bodies[i], laid[i]
    local up = laid[b.parent]
    local back = spatial.matrix {{up.cp, up.sp, 0}, {-up.sp, up.cp, 0}, {0, 0, 1}}
    -- rotation Rz(-phi_parent) R_c = Rz(gamma) Rx(alpha) Rz(theta0), theta = theta0 + phi
    local t = zxz(back * relative[i].R)
    local ct, st = clean(t.ct * l.cp - t.st * l.sp, 1), clean(t.st * l.cp + t.ct * l.sp, 1)
    -- the origin: turning about z does not move it when the shift is along z; a sliding body's shift
    -- is anywhere, but the body does not turn
    local origin = relative[i].p + relative[i].R * l.shift
    local p = back * (origin - up.shift)
    local to_own = spatial.pose_inverse(own[i])
    chain.bodies[i] = {
      parent = b.parent, prismatic = b.prismatic, ball = b.ball, link = b.link,
      cg = t.cg, sg = t.sg, ca = t.ca, sa = t.sa, ct = ct, st = st,
      p = clean_vector(p),
      inertia = clean_inertia(spatial.inertia_to(to_own, b.inertia)),
      own = own[i],
    }
    local body = chain.bodies[i]
    body.axis = spatial.column(twist_matrix(t), 3) -- joint axis in the parent's frame
    if b.ball == 1 then turn_whole(body, back * relative[i].R * spatial.transpose(aligned[i].R), own[i].R) end
    -- p seen after the twist: Rx(-alpha) Rz(-gamma) p
    body.arm = clean_vector(spatial.rx(body.ca, -body.sa, spatial.rz(body.cg, -body.sg, body.p)))
  end
  for k, f in ipairs(reduced.frames) do
    local pose = spatial.pose_mul(spatial.pose_inverse(own[f.body]), f)
    chain.frames[k] = {body = f.body, link = f.link, p = clean_vector(pose.p), R = clean_matrix(pose.R)}
  end
  return chain
end

-- Base parameters (Khalil, Gautier 1987): the part of a body's inertia that its own joint cannot
-- feel and that looks the same from the parent at every q moves to the parent; M, h and every torque
-- stay what they are.
--   revolute:  m, m z, and diag(J, J, 0), a mass spread along the axis. J is chosen so that nothing of the
--              body's mass is left spread along z: int z^2 dm = (I_xx + I_yy - I_zz) / 2 = 0, which lets
--              the gyroscopic moment (motion.lua) do with one product less in two components
--   prismatic: the rotational inertia
--   of a ball: nothing, as its parent sees the child turn about every axis
-- What a body keeps of an inertia about its origin, and what it shares with its parent there, about the parent's.
function F.split(b, own)
  local part, kept
  if b.ball then
    part = {m = 0, h = spatial.vector {0, 0, 0}, I = {0, 0, 0, 0, 0, 0}}
    kept = own
  elseif b.prismatic then
    part = {m = 0, h = spatial.vector {0, 0, 0}, I = own.I}
    kept = {m = own.m, h = own.h, I = {0, 0, 0, 0, 0, 0}}
  else
    local J = 0.5 * (own.I[1] + own.I[4] - own.I[6])
    part = {m = own.m, h = spatial.vector {0, 0, own.h[3]}, I = {J, 0, 0, J, 0, 0}}
    local xx, yy = own.I[1] - J, own.I[4] - J
    kept = {m = 0, h = spatial.vector {own.h[1], own.h[2], 0}, I = {xx, own.I[2], own.I[3], yy, own.I[5], xx + yy}}
  end
  -- at the joint's zero position, seen after the twist; turning about z leaves `part` alone
  local R = twist_matrix(b)
  if b.prismatic then R = R * spatial.matrix {{b.ct, -b.st, 0}, {b.st, b.ct, 0}, {0, 0, 1}} end
  return kept, spatial.inertia_to({p = b.p, R = R}, part)
end

-- Moves these parts of all bodies. Bodies with a run-time inertia keep theirs and take nothing (`fixed`: set of
-- bodies). What comes to the base matters where it moves. Returns the list of bodies whose inertia moved.
function F.regroup(chain, fixed)
  local moved = {}
  for i = chain.n, 1, -1 do
    local b = chain.bodies[i]
    local parent = chain.bodies[b.parent]
    if not fixed[i] and not fixed[b.parent] and not b.ball then
      local kept, part = F.split(b, b.inertia)
      b.inertia, parent.inertia = kept, spatial.add_inertia(parent.inertia, part)
      moved[#moved + 1] = i
    end
  end
  return moved
end

return F
