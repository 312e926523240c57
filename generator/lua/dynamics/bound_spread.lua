-- SPDX-License-Identifier: MIT
-- bound_spread.lua: from what is left of the equations (bound_left.lua) to bounds on accelerations, with what errors of
-- M and J add.

local scalar = require "scalar"
local spatial = require "spatial"
local motion = require "motion"
local Bound = require "bound_left"

local length, size, across = Bound.length, Bound.size, Bound.across

-- ---- what the errors of M and J add ----

-- How far a body is taken to slide [m]: 5 cm beyond the limits of its joint, 1 m where there are none.
local function farthest(b)
  return math.max(math.abs(b.link.joint.lower or 1), math.abs(b.link.joint.upper or 1)) + 0.05
end

-- By coordinate the square root of the most inertia that it can feel, whatever the positions (of sliding joints, as far
-- as `farthest` tells; beyond there is no bound).
local function inertia_scales(chain)
  local robot_mass = {}
  for i = chain.n, 0, -1 do
    local b = chain.bodies[i]
    local x = b.whole_inertia
    local I = scalar.value(x.I[1]) + scalar.value(x.I[4]) + scalar.value(x.I[6]) -- trace / 2 >= the largest moment
    robot_mass[i] = {m = scalar.value(x.m) + (robot_mass[i] and robot_mass[i].m or 0),
      h = length(x.h) + (robot_mass[i] and robot_mass[i].h or 0),
      I = I / 2 + (robot_mass[i] and robot_mass[i].I or 0)}
    if i > 0 then
      local at, own, p = robot_mass[b.parent] or {m = 0, h = 0, I = 0}, robot_mass[i], length(b.p)
      if b.prismatic then p = p + farthest(b) end
      robot_mass[b.parent] = {m = at.m + own.m, h = at.h + own.h + own.m * p,
        I = at.I + own.I + 2 * own.h * p + own.m * p * p}
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

local dot = scalar.sum_of_products

local function absolute(A)
  local R = {}
  for i = 1, #A do
    R[i] = {}
    for j = 1, #A[i] do R[i][j] = scalar.abs(A[i][j]) end
  end
  return R
end

-- What turning a vector through all joints to a body adds to its error, of the body for which it is most: a number
-- where no angle of a mimic joint is in it.
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

-- What errors can do along the motions {w, v} by body: those of wrenches, and those of accelerations by what the
-- motions make of the inertias that the body carries, the wrenches `carried`.
local function work(left, motions, carried, first, n)
  local sum = 0
  for i = first, n do
    local m, e, c, d = motions[i], left.errors[i], carried[i], left.motions[i]
    sum = sum + (size(m.v) * e.f + size(m.w) * e.n)
    for _, at in ipairs(e.points or {}) do sum = sum + size(m.v + spatial.cross(m.w, at.p)) * at.f end
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

-- Whether six rows hold a tool on an arm of more joints, which turn: what is left free moves links in between, which
-- feel their own weight. There x is not far below what it is made of, and w (propagate) need not differ from T x.
local function holds_a_tool(state)
  if state.base then return false end
  for _, row in ipairs(state.rows) do
    local g, turning = row.group, 0
    if g.frame and #g.rows == 6 then
      for _, i in ipairs(motion.way(state.robot, g.frame.body, 0)) do
        turning = turning + (state.robot.bodies[i].prismatic and 0 or 1)
      end
      if turning > 6 then return true end
    end
  end
  return false
end

-- The bounds by coordinate. left: {r1, e1, r2, and errors by body of wrenches, errors, and of accelerations, motions}.
-- maps: {G, H by coordinate and equation; levers by equation: how large its elements of J can be; response(i): what an
-- error of the wrenches can do to coordinate i; shares(i): the same of errors of the rows; gram: by equation L_jj where
-- the rows' forces come of L = J M^-1 J^T, which is known to u times its diagonal}. vdot: the accelerations; fails: a
-- condition that there is no bound.
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
    torques = torques + (math.max(chain.reach, 1) * (e.f + size(e.by_f) + (e.spun_f or 0)) +
      (e.n + size(e.by_n) + (e.spun_n or 0)))
  end
  local c = (2 * self:deepest() + (n + 12)) * u
  -- What errors of M and J make of accelerations of which Sx = s . x and all, the sum, are known, and of the forces
  -- that the rows bear beside those that make them, given(i): forces `load` by coordinate, accelerations `shift` by
  -- equation.
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
  local function borne(i, load) return of_r1[i] + load + u * torques end
  -- Accelerations are x + w + T d at most, w of what the rows bear, T of the accelerations d themselves. Where T halves
  -- x + w in both numbers, the sum of all T^k (x + w) is 2 T (x + w) at most.
  local w, Sw, all_w, more, Sm, all_more
  if m == 0 or holds_a_tool(state) then
    more, Sm, all_more = made_of(load, all, borne)
  else -- x can vanish, and w does not
    w, Sw, all_w = made_of(loads_of(0), 0, borne)
    Sx, all = Sx + Sw, all + all_w
    more, Sm, all_more = made_of(loads_of(Sx), all, function(_, load) return load end)
    for i = 1, n do more[i] = w[i] + more[i] end
  end
  local small = scalar.land(scalar.lnot(scalar.lt(Sx, 2 * Sm)), scalar.lnot(scalar.lt(all, 2 * all_more)))
  local holds = fails and scalar.land(small, scalar.lnot(fails)) or small
  for _, b in ipairs(state.robot.bodies) do
    if b.prismatic then
      holds = scalar.land(holds, scalar.land(scalar.lt(-farthest(b), b.q), scalar.lt(b.q, farthest(b))))
    end
  end
  local bounds, none, least = {}, ag.no_bound(state.single), state.single and 1e-30 or 1e-290
  for i = 1, n do
    -- the roundings of x itself, of vdot, and of numbers near the smallest there are
    local whole = (x[i] + 4 * more[i]) * (1 + 4096 * u) + (2 * u * scalar.abs(vdot[i]) + least)
    bounds[i] = scalar.select(scalar.land(holds, scalar.lt(whole, none)), whole, none)
    scalar.limit(bounds[i], none, "no_bound", "nothing is known of the error")
    ag.label(bounds[i], "bound" .. chain.coordinates[i].label)
  end
  return bounds
end

Bound.work = work

return Bound
