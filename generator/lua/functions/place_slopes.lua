-- SPDX-License-Identifier: MIT
-- place_slopes.lua: how a place that moves along velocities (places.lua) changes, for dstep: of the place p (+) d
--     E dp + T dd
-- by small changes dp of positions: a floating base moves and turns along the axes of the world, exp(dp) R. E and T are
-- 1 but for such a turn, with x of d: E = exp(x), and T, by which exp(x + dx) turns further than exp(x), along axes of
-- the world:
--     T = 1 + [x] (1 - cos |x|) / |x|^2 + [x]^2 (|x| - sin |x|) / |x|^3
-- A ball is turned along the axes of its child, R exp(dp): of those that turn with it E^T and T^T.
-- Source: Sola, Deray, Atchuthan, A micro Lie theory for state estimation in robotics, 2018, for T.

local spatial = require "spatial"
local turns = require "turns"
local Base = require "moving_base"
local Matrices = require "matrices"
local Places = require "places"

local PlaceSlopes = {}

-- E and T of the turn x.
local function turn_parts(x)
  local turn = turns.quaternion(x)
  local across = spatial.cross_matrix(x)
  local twice, T = across * across, {}
  local linear, square = turns.by_vector(spatial.dot(x, x))
  for i = 1, 3 do
    T[i] = {}
    for j = 1, 3 do T[i][j] = (i == j and 1 or 0) + linear * across[i][j] + square * twice[i][j] end
  end
  return Base.rotation_of(turn), T
end

-- The rows of X, which has one by velocity, from `first` on multiplied by R.
local function turn_rows(R, X, first)
  local Y = table.move(X, 1, #X, 1, {})
  for i = 1, 3 do
    local row = {}
    for j = 1, #X[1] do
      row[j] = R[i][1] * X[first][j] + R[i][2] * X[first + 1][j] + R[i][3] * X[first + 2][j]
    end
    Y[first + i - 1] = row
  end
  return Y
end

-- What turns by d: {first: of three velocities, E, T}.
function PlaceSlopes.turns(chain, d)
  local list = {}
  if chain.nb == 6 then
    local E, T = turn_parts(spatial.vector {d[4], d[5], d[6]})
    list[1] = {first = 4, E = E, T = T}
  end
  for _, ball in ipairs(chain.balls) do
    local E, T = turn_parts(Places.of_ball(chain, ball.body, d))
    list[#list + 1] = {first = chain.nb + chain.joint_of[ball.body], E = spatial.transpose(E),
      T = spatial.transpose(T)}
  end
  return list
end

-- E before + T shift, matrices by row of velocity; nil: zero. turned: of PlaceSlopes.turns.
function PlaceSlopes.moved(turned, before, shift)
  for _, turn in ipairs(turned) do
    shift = shift and turn_rows(turn.T, shift, turn.first)
    before = before and turn_rows(turn.E, before, turn.first)
  end
  return Matrices.plus(before, shift)
end

return PlaceSlopes
