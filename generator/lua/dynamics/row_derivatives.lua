-- SPDX-License-Identifier: MIT
-- row_derivatives.lua: how what a row sees of a motion changes with position and velocity, at constant accelerations of
-- the coordinates; and the forces of ties.
--
-- A frame sits at the end of a chain of joints that starts at a body whose motion is given: the base, or for a tie
-- the body of its {frame}. Everything is given at the frame's origin P along axes of the start (a moving base's: of the
-- world), and of velocities from a point that moves along with P. With S = {z, l} the unit motion of joint j there, w,
-- v and wd, a the twist and the spatial acceleration of the body that carries it, what the frame has beyond these D w,
-- D wd, D a, and
--     p = v x S,  p_a = w x z,  p_l = w x l + v x z
-- the accelerations of the frame change
--     by q:   linear wd x l + z x D a + w x p_l + v x p_a,   angular z x D wd - D w x p_a
--     by qd:  linear 2 p_l,                                  angular p_a - D w x z
-- along axes that stay; along axes that turn with the frame less z x (its acceleration) by q. Of a ball joint w, v, wd,
-- a of all three axes are those of what carries the ball, and D those of all that is beyond it: the three turn as one.
-- By qd of axis z, with w_r the ball's velocity and r from its centre, x = w_r x z is added: x x r linear, x angular.
-- From child to parent, as a tie's chain begins, a ball's axes stand in what carries it and turn only what is beyond:
-- by q w, v, wd, a are those behind the ball then, and D without its own.
-- Source: the same as derivatives.lua's.

local spatial = require "spatial"
local motion = require "motion"
local constraints = require "constraints"

local RowDerivatives = {}

local cross = spatial.cross

-- Whether joint k of a chain is of a ball, and not its first.
local function within(chain, k) return chain[k].ball and chain[k].ball > 1 and k > 1 end

-- w_r x z of joint k of a chain, nil: it is of no ball. A ball is there as a whole.
local function ball_turn(chain, k)
  local j = chain[k]
  if not j.ball then return nil end
  local turning, first = spatial.zero, k - j.ball
  for i = 1, 3 do turning = turning + chain[first + i].qd * chain[first + i].z end
  return cross(turning, j.z)
end

-- Of joint k of a ball whose axes stand in what carries it {turn, l, w, wd, v, Dw, Da, Dwd, pa, pl} behind the ball.
local function behind(chain, k)
  local j = chain[k]
  local last, next = chain[k - j.ball + 3], chain[k - j.ball + 4]
  local x = {turn = j.turn, l = j.l, w = last.w_behind, wd = last.wd_behind, v = last.v_behind, Dw = last.Dw_behind}
  x.Da, x.Dwd = next and next.Da or spatial.zero, next and next.Dwd or spatial.zero
  x.pa, x.pl = cross(x.w, j.turn), cross(x.w, j.l) + cross(x.v, j.turn)
  return x
end

-- q and rate of joint k of a chain whose carrier knows its Da and Dwd.
local function finish(chain, k, P)
  local j = chain[k]
  local x = j.ball and j.stands and behind(chain, k) or j
  local Da, Dwd = (x.carrier or x).Da, (x.carrier or x).Dwd
  j.q = {
    lin = cross(x.wd, x.l) + cross(x.turn, Da) + (cross(x.w, x.pl) + cross(x.v, x.pa)),
    ang = cross(x.turn, Dwd) - cross(x.Dw, x.pa),
  }
  j.rate = {lin = 2 * j.pl, ang = j.pa - cross(j.Dw, j.turn)}
  local own = ball_turn(chain, k)
  if own then j.rate = {lin = j.rate.lin + cross(own, P - j.centre), ang = j.rate.ang + own} end
end

-- chain: the joints from the start outward, {body, z, l, prismatic, qd, qdd, ball: 1 to 3, centre, stands: axes of a
-- ball stand in what carries them}; P; start: {w, wd, a} of the start, a its true classical acceleration at the origin,
-- v = its velocity there (for rows that see the spatial acceleration). Gives each joint q and rate = {lin, ang} along
-- axes that stay; returns what moves there: {w, wd, a, v}, and first = velocity of the start at P.
local function along_chain(chain, P, start, spatially)
  local v, Dw = spatial.zero, spatial.zero
  for k = #chain, 1, -1 do
    local j = chain[k]
    j.v_behind, j.Dw_behind = v, Dw
    v, j.turn = v - j.qd * j.l, j.prismatic and spatial.zero or j.z
    Dw = Dw + j.qd * j.turn
    j.v, j.Dw = v, Dw
  end
  local w, wd, carrier = start.w, start.wd, nil
  for k, j in ipairs(chain) do
    -- carrier: the first of a ball, of which all have its w, wd, v and D
    carrier = within(chain, k) and carrier or j
    if carrier == j then j.w, j.wd = w, wd else j.w, j.wd, j.v, j.Dw = carrier.w, carrier.wd, carrier.v, carrier.Dw end
    j.carrier, j.pa, j.pl = carrier, cross(j.w, j.turn), cross(j.w, j.l) + cross(j.v, j.turn)
    w, wd = w + j.qd * j.turn, wd + (j.qdd * j.turn + j.qd * j.pa)
    j.w_behind, j.wd_behind = w, wd
  end
  local Da, Dwd = spatial.zero, spatial.zero
  for k = #chain, 1, -1 do
    local j = chain[k]
    Da = Da + (j.qdd * j.l + j.qd * j.pl)
    Dwd = Dwd + (j.qdd * j.turn + j.qd * j.pa)
    j.Da, j.Dwd = Da, Dwd
    for i = k, j.carrier == j and (j.ball and k + 2 or k) or 0 do finish(chain, i, P) end -- of a ball all three
  end
  local tip = {w = w, wd = wd, first = v}
  tip.a = start.a + (cross(start.wd, P) + cross(start.w, cross(start.w, P))) - cross(start.w, v) + Da
  if spatially then -- less w x v
    tip.v = start.v + cross(start.w, P) - v
    for _, j in ipairs(chain) do
      local less = cross(j.pa, tip.v) + cross(w, j.pl + cross(tip.v, j.turn))
      j.q.lin = j.q.lin - less - cross(j.turn, cross(w, tip.v))
      j.rate.lin = j.rate.lin - (cross(j.turn, tip.v) + cross(w, j.l))
    end
    tip.a = tip.a - cross(w, tip.v)
  end
  return tip
end

-- Columns of a moving base, by its freedoms: by q a turn w of the whole robot, less the shares of what does not turn
-- with it; along axes that stay.
local function base_columns(nb, R, P, start, tip, spatially)
  local columns = {}
  local function by_rate(w) -- of the angular velocity
    local lin = cross(start.w, cross(w, P)) + cross(w, cross(start.w, P)) + 2 * cross(tip.first, w)
    if spatially then lin = lin - (cross(w, tip.v) + cross(tip.w, cross(w, P))) end
    return {lin = lin, ang = cross(w, tip.w - start.w)}
  end
  for c, s in ipairs(motion.base_freedoms(nb)) do
    local w, v = R * s.w, R * s.v
    if spatial.is_zero(s.w) then
      local lin = spatially and -cross(tip.w, v) or spatial.zero
      columns[c] = {turn = spatial.zero, q = {lin = spatial.zero, ang = spatial.zero},
        rate = {lin = lin, ang = spatial.zero}}
    else
      local turned, wd = by_rate(cross(w, start.w)), cross(w, start.wd)
      local lin = -(turned.lin + (cross(w, start.a) + cross(wd, P)))
      if spatially then lin = lin + cross(tip.w, cross(w, start.v)) end
      lin = lin + cross(w, tip.a)
      columns[c] = {turn = w, q = {lin = lin, ang = cross(w, tip.wd) - (turned.ang + wd)}, rate = by_rate(w)}
    end
  end
  return columns
end

-- The joints between the base and a body, outward, along the axes of the base (moving: of the world).
-- l: how the joints move the point `at` of the body, P. The last one sees it in its own axes, where zeros are known.
local function chain_of(robot, poses, body, at, P, qdd)
  local way, chain = motion.way(robot, body, 0), {}
  for k = #way, 1, -1 do
    local b, pose = robot.bodies[way[k]], poses[way[k]]
    local z = spatial.column(pose.R, 3)
    local l = b.prismatic and z or k == 1 and pose.R * spatial.vector {-at[2], at[1], 0} or cross(z, P - pose.p)
    chain[#chain + 1] = {body = way[k], z = z, l = l, prismatic = b.prismatic, qd = b.qd, qdd = qdd[way[k]],
      ball = b.ball, centre = pose.p}
  end
  return chain
end

-- The joints from a tie's {frame} to its {to}: inward to the body that carries both, turned around, then outward; along
-- the axes of {frame}'s body.
function RowDerivatives.chain_of_tie(robot, tie, qdd)
  local chain, here = {}, tie.here
  local function put(i, sign)
    local b, pose = robot.bodies[i], motion.seen_from(robot, i, tie.stop)
    local z = sign * spatial.mul_transposed(here.R, spatial.column(pose.R, 3))
    local centre = spatial.mul_transposed(here.R, pose.p - here.p)
    local l = b.prismatic and z or cross(z, tie.P - centre)
    -- inward the axes of a ball come in reverse
    chain[#chain + 1] = {body = i, z = z, l = l, prismatic = b.prismatic, qd = b.qd, qdd = qdd[i], centre = centre,
      ball = b.ball and (sign < 0 and 4 - b.ball or b.ball), as_one = b.ball and i - b.ball, stands = sign < 0}
  end
  for _, i in ipairs(motion.way(robot, tie.frame.body, tie.stop)) do put(i, -1) end
  local way = motion.way(robot, tie.to.body, tie.stop)
  for k = #way, 1, -1 do put(way[k], 1) end
  return chain
end

-- By row {q, qd}, lists over the coordinates, of what rows see (State:seen). motions: with vdot, by coordinate;
-- gravity: that in the motions. A moving base's columns are those of derivatives.lua.
function RowDerivatives.seen(state, robot, motions, gravity, vdot)
  local chain, nb, result = state.chain, robot.nb, {}
  local qdd, poses = motion.per_body(chain, vdot, nb), state:body_poses()
  for _, g in ipairs(state.groups) do
    ag.region("rows: derivatives along the rows of " .. g.name, g.name)
    local mine = {}
    for k = 1, #g.rows do
      mine[k] = {q = {}, qd = {}}
      for c = 1, nb + chain.nj do mine[k].q[c], mine[k].qd[c] = 0, 0 end
      result[#result + 1] = mine[k]
    end
    if not g.joints then
      local joints, columns, tip, to_rows, stays = nil, {}, nil, nil, true
      if g.tie then
        joints = RowDerivatives.chain_of_tie(robot, g.tie, qdd)
        tip = along_chain(joints, g.tie.P, {w = spatial.zero, wd = spatial.zero, a = spatial.zero}, false)
        to_rows = function(v) return spatial.mul_transposed(g.frame.R, v) end
      else
        local pose, R = poses[g.frame.body], poses[0].R
        local P, base, spatially = pose.p + pose.R * g.frame.p, robot.base, g.acceleration == "spatial"
        local start = {w = spatial.zero, wd = spatial.zero, a = spatial.zero, v = spatial.zero}
        if base or state.root then
          local m = motions[0]
          start = {w = R * m.w, wd = R * m.wd, a = R * m.a + gravity, v = base and R * base.v or spatial.zero}
        end
        joints = chain_of(robot, poses, g.frame.body, g.frame.p, P, qdd)
        tip = along_chain(joints, P, start, spatially)
        columns = base_columns(nb, R, P, start, tip, spatially)
        stays = not constraints.linked(g)
        to_rows = function(v)
          if stays then return v end
          return spatial.mul_transposed(g.frame.R, spatial.mul_transposed(pose.R, v))
        end
      end
      local function put(column, c, ratio)
        local q = column.q
        if not stays then q = {lin = q.lin - cross(column.turn, tip.a), ang = q.ang - cross(column.turn, tip.wd)} end
        local by_q = constraints.along(g, state.rows, to_rows(q.lin), to_rows(q.ang))
        local by_qd = constraints.along(g, state.rows, to_rows(column.rate.lin), to_rows(column.rate.ang))
        for k = 1, #mine do
          mine[k].q[c] = mine[k].q[c] + ratio * by_q[k]
          mine[k].qd[c] = mine[k].qd[c] + ratio * by_qd[k]
        end
      end
      for c, column in ipairs(columns) do put(column, c, 1) end
      for _, j in ipairs(joints) do put(j, nb + chain.joint_of[j.body], chain.ratio[j.body]) end
    end
  end
  return result
end

-- By row of a group on a frame how what it sees of the frame's velocity changes by q, at constant velocities of the
-- coordinates: lists over them. Of a joint with the unit motion {z, l} the frame's velocity changes
--     by p_l linear, z x D w angular,
-- by a turn w of the whole robot, the base's own velocity apart, w0 x (w x P) + w x (v - v0 - w0 x P) and w x (w_f -
-- w0); along axes that turn with the frame less z x, w x its velocity.
function RowDerivatives.velocity(state, g)
  local robot, chain, poses, nb, mine, still = state.robot, state.chain, state:body_poses(), state.robot.nb, {}, {}
  for i = 1, chain.n do still[i] = 0 end
  for k = 1, #g.rows do
    mine[k] = {}
    for c = 1, nb + chain.nj do mine[k][c] = 0 end
  end
  local pose, R, base = poses[g.frame.body], poses[0].R, robot.base
  local P, w0, v0 = pose.p + pose.R * g.frame.p, spatial.zero, spatial.zero
  if base then w0, v0 = R * base.w, R * base.v end
  local joints = chain_of(robot, poses, g.frame.body, g.frame.p, P, still)
  local tip = along_chain(joints, P, {w = w0, wd = spatial.zero, a = spatial.zero, v = v0}, true)
  local linked = constraints.linked(g)
  local function to_rows(v)
    return linked and spatial.mul_transposed(g.frame.R, spatial.mul_transposed(pose.R, v)) or v
  end
  local function put(c, ratio, turn, lin, ang)
    if linked then lin, ang = lin - cross(turn, tip.v), ang - cross(turn, tip.w) end
    for k, x in pairs(constraints.along(g, state.rows, to_rows(lin), to_rows(ang))) do
      mine[k][c] = mine[k][c] + ratio * x
    end
  end
  for c, s in ipairs(motion.base_freedoms(nb)) do
    local w = R * s.w
    if not spatial.is_zero(s.w) then
      put(c, 1, w, cross(w0, cross(w, P)) - cross(w, tip.first), cross(w, tip.w - w0))
    end
  end
  for _, j in ipairs(joints) do
    put(nb + chain.joint_of[j.body], chain.ratio[j.body], j.turn, j.pl, cross(j.turn, j.Dw))
  end
  return mine
end

-- Whether joint j of a chain moves the axis of joint i: it comes before it or is it. Those of a ball or a base, which
-- turn as one (as_one), all move with what is beyond, or stand in what carries them.
function RowDerivatives.carries(chain, j, i)
  local as_one = chain[i].as_one
  if as_one and as_one == chain[j].as_one then return not chain[i].stands end
  return j <= i
end

-- J^T nu of a tie's rows by q, at constant nu: adds ratio-weighted elements to T[of][by]. f, n: the sum of the rows'
-- forces on {to}, at its origin, along the axes of {frame}'s body.
function RowDerivatives.tie_forces(robot, tie, f, n, T)
  local chain, nb = robot.chain, robot.nb
  local none = {}
  for i = 1, robot.n do none[i] = 0 end
  local joints = RowDerivatives.chain_of_tie(robot, tie, none)
  for a, i in ipairs(joints) do
    for b, j in ipairs(joints) do
      local x = 0
      if RowDerivatives.carries(joints, b, a) then -- i moves with j, the force does not
        if not j.prismatic then
          x = -spatial.dot(cross(j.z, f), i.l)
          if not i.prismatic then x = x - spatial.dot(cross(j.z, n), i.z) end
        end
      elseif not i.prismatic then -- the point of attack moves
        x = spatial.dot(i.z, cross(j.l, f))
      end
      local r, c = nb + chain.joint_of[i.body], nb + chain.joint_of[j.body]
      T[r][c] = T[r][c] + chain.ratio[i.body] * chain.ratio[j.body] * x
    end
  end
end

return RowDerivatives
