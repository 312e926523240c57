-- SPDX-License-Identifier: MIT
-- manipulability.lua: how far a frame is from a singular configuration, and where it gets farther away: of the rows J
-- of its Jacobian that are linear, angular, or all six
--   w = sqrt(det J J^T),   dw/dq_k = w tr((J J^T)^-1 dJ/dq_k J^T) = sum_j b_j . dj_j/dq_k
-- with j_j and b_j the columns of J and of B = w (J J^T)^-1 J. J = L V with rows of V that are orthogonal and L a unit
-- lower triangle give, without the square of J's condition,
--   w = |v_1| .. |v_m|,   B = w L^-T D^-1 V,   D = diag(v_i . v_i)
-- so that w / D_i stays finite as D_i becomes small. What is left of a row that depends on others is rounding, and
-- counts as 0. Where w = 0 it has an edge or a corner, as |x|; its gradient is given as 0 there, between the slopes of
-- all sides. Of joints k and j on the way to the frame, j behind k: dj_j/dq_k = (z_k x lin_j, z_k x ang_j); before it:
-- (ang_j x lin_k, 0). So dw/dq_k = ang_k . sum_{j >= k} (lin_j x b_j,lin + ang_j x b_j,ang) + lin_k . sum_{j < k}
-- b_j,lin x ang_j. The axes of a ball turn with its child: all three are behind each of them. A turn of the base
-- changes no w.
-- Source: Yoshikawa, Manipulability of robotic mechanisms, The International Journal of Robotics Research 4 (1985).

local scalar = require "scalar"
local spatial = require "spatial"
local motion = require "motion"
local State = require "state"
local Family = require "family"

local D = {}

local words = {"manipulability", "manipulability_lin", "manipulability_ang"}
local parts_of = { -- in the order of rows
  manipulability = {"lin", "ang"}, manipulability_lin = {"lin"}, manipulability_ang = {"ang"},
}

-- What the layout's outputs name; all where they name none.
local function asked(layout)
  local named, list = layout.derivatives or {}, {}
  for _, word in ipairs(words) do
    if named[word] then list[#list + 1] = word end
  end
  return #list > 0 and list or words
end

-- V, D^-1 and L of J = L V, and the square of w: rows less what they have along those before. What is left of one, if
-- it is below `rounding` of the block of rows it is of, depends on others: w = 0.
local function orthogonal(J, rounding)
  local V, inverse, L, square, floor = {}, {}, {}, 1, {}
  for i, row in ipairs(J) do V[i], L[i] = row, {} end
  for first = 1, #J, 3 do
    local whole = 0
    for i = first, first + 2 do whole = whole + scalar.dot(J[i], J[i]) end
    floor[(first + 2) // 3] = whole
  end
  for i = 1, #J do
    local v = V[i]
    local left = scalar.dot(v, v)
    local apart = scalar.above_share(rounding, floor[(i + 2) // 3], left, "row_rounding",
      "share of rows that is rounding")
    square = square * scalar.select(apart, left, 0)
    inverse[i] = scalar.select(apart, scalar.divide(1, scalar.select(apart, left, 1)), 0)
    for k = i + 1, #J do
      L[k][i] = inverse[i] * scalar.dot(V[k], v)
      local rest = {}
      for c, x in ipairs(V[k]) do rest[c] = x - L[k][i] * v[c] end
      V[k] = rest
    end
  end
  return V, inverse, L, square
end

-- w and, by coordinate, the columns of B.
local function measure(J, single)
  local V, inverse, L, square = orthogonal(J, single and 1e-11 or 1e-28)
  local w, B = scalar.sqrt(square, single), {}
  for i = #J, 1, -1 do
    local row = {}
    for c, x in ipairs(V[i]) do
      row[c] = inverse[i] * x
      for k = i + 1, #J do row[c] = row[c] - L[k][i] * B[k][c] end
    end
    B[i] = row
  end
  for _, row in ipairs(B) do
    for c, x in ipairs(row) do row[c] = w * x end
  end
  return w, B
end

-- {lin, ang} of coordinate c, of rows that begin with `parts`.
local function column_of(B, parts, c)
  local m = {lin = spatial.zero, ang = spatial.zero}
  for p, part in ipairs(parts) do
    m[part] = spatial.vector {B[3 * p - 2][c], B[3 * p - 1][c], B[3 * p][c]}
  end
  return m
end

local function gradient(state, way, single, B, parts)
  local chain, slope = state.chain, scalar.zeros(state.chain.nj)
  local behind, before, sums = spatial.zero, spatial.zero, {}
  local function b(i) return column_of(B, parts, chain.nb + chain.joint_of[i]) end
  for _, i in ipairs(way) do
    local m, of = single[i], b(i)
    behind = behind + chain.ratio[i] * (spatial.cross(m.lin, of.lin) + spatial.cross(m.ang, of.ang))
    sums[i] = behind
    if state.robot.bodies[i].ball == 1 then sums[i + 1], sums[i + 2] = behind, behind end -- they turn as one
  end
  for c, t in ipairs(motion.base_freedoms(chain.nb)) do
    before = before + spatial.cross(column_of(B, parts, c).lin, t.w)
  end
  local outside
  for k = #way, 1, -1 do
    local i = way[k]
    local m, of, j, ball = single[i], b(i), chain.joint_of[i], state.robot.bodies[i].ball
    outside = ball and ball > 1 and outside or before
    slope[j] = slope[j] + chain.ratio[i] * (spatial.dot(m.ang, sums[i]) + spatial.dot(m.lin, outside))
    before = before + chain.ratio[i] * spatial.cross(of.lin, m.ang)
  end
  return slope
end

D.manipulability = {
  frameless = false,
  doc = "Manipulability of the named frames, the root of det J J^T over linear, angular and all rows of their " ..
    "Jacobians, and its gradient by the joint positions.",
  variants = function() return {{formulation = "chain", way = "base", axes = "matrix"}} end,
  program = function(context, variant)
    local state = State.new(context, variant, {})
    local poses, robot, chain = state:body_poses(), state.robot, state.chain
    for _, f in ipairs(context.layout.family.jac) do
      ag.region("Jacobian of " .. f.name, f.id)
      local body = f.frame.body
      local columns, single = Family.partial_velocities(state, poses, body, f.frame.p)
      local way = motion.way(robot, body, 0)
      for _, word in ipairs(asked(context.layout)) do
        ag.region("output: " .. word .. " of " .. f.name, f.id)
        local J, moving = {}, 0
        for _, part in ipairs(parts_of[word]) do
          for k = 1, 3 do
            local row = {}
            for c = 1, #columns do row[c] = columns[c][part][k] end
            J[#J + 1] = row
          end
        end
        for c = 1, #columns do
          for r = 1, #J do
            if not scalar.is_zero(J[r][c]) then
              moving = moving + 1
              break
            end
          end
        end
        local w, slope = 0, scalar.zeros(chain.nj)
        if moving >= #J then
          local B
          w, B = measure(J, context.single)
          slope = gradient(state, way, single, B, parts_of[word])
        end
        state:put(word .. ".", {w}, {id = f.id, of = f.name})
        if chain.nj > 0 then state:put("d" .. word .. "_dq.", slope, {id = f.id, of = f.name}) end
      end
    end
    state:finish()
  end,
}

return D
