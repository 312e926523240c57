-- SPDX-License-Identifier: MIT
-- held_frames.lua: physical rows of a frame in a step of a simulator: the world holds the frame where it stands.
--
-- Of a linear row along the axis a, of an angular one, p and R the frame's position and rotation, p_0 and R_0 those at
-- the beginning of the step:
--   r = a . (p - p_0),    r = a . vee(R R_0^T),   vee(T) = (T_32 - T_23, T_13 - T_31, T_21 - T_12) / 2
-- vee is the axis of the turn from R_0 to R times the sine of its angle. Axes of a link are those that it has at the
-- beginning of the step where positions are closed, and those that it comes to where velocities are.

local spatial = require "spatial"
local constraints = require "constraints"
local Family = require "family"

local Held = {}
Held.__index = Held

local function pose_of(state, place, frame)
  local body = state:body_poses()[frame.body]
  local p = body.p + body.R * frame.p
  if place.x then p = p + spatial.vector {place.x, place.y, 0} end
  if place.position then p = p + place.position end
  return p, body.R * frame.R
end

-- group: of the layout; state, place: at the beginning of the step.
function Held.new(state, place, group)
  local self = setmetatable({group = group, state = state}, Held)
  self.p, self.R = pose_of(state, place, group.frame)
  self.axes = self:axes_in(self.R)
  return self
end

function Held:axes_in(R)
  local axes = {}
  for k = 1, 3 do axes[k] = spatial.column(self.group.axes == "link" and R or spatial.identity, k) end
  return axes
end

-- The axis of a turn, times the sine of its angle.
function Held.vee(turn)
  return 0.5 * spatial.vector {turn[3][2] - turn[2][3], turn[1][3] - turn[3][1], turn[2][1] - turn[1][2]}
end

-- J by row and coordinate, along the axes of the world; residuals; rows as constraints.scales takes them; what
-- closure_slopes.lua takes. moved: along the axes that the frame has in the state.
function Held:rows(state, place, moved)
  local group = self.group
  ag.region("held: " .. group.name, group.name)
  local p, R = pose_of(state, place, group.frame)
  local axes = moved and self:axes_in(R) or self.axes
  local columns = Family.partial_velocities(state, state:body_poses(), group.frame.body, group.frame.p)
  local away, turn = p - self.p, R * spatial.transpose(self.R)
  local turned, J, r, along = Held.vee(turn), {}, {}, {}
  for k, name in ipairs(group.rows) do
    local axis, part = axes[(constraints.axis_of[name] - 1) % 3 + 1], name:match("^ang") and "ang" or "lin"
    J[k], along[k] = {}, {axis = axis, part = part}
    for c = 1, #columns do J[k][c] = spatial.dot(axis, columns[c][part]) end
    r[k] = spatial.dot(axis, part == "ang" and turned or away)
  end
  return J, r, constraints.list {{name = group.name, rows = group.rows, axes = "base", frame = group.frame, b = {}}},
    {group = group, held = self, along = along, away = away, turn = turn, moved = moved}
end

return Held
