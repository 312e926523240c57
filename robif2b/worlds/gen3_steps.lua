-- SPDX-License-Identifier: MIT
-- The Gen3 of simulated devices, moved by generated steps: that of robots/gen3.lua, whose fingertip touches a plane.
local arm = include "gen3.lua"
local friction = {}
for j = 1, 7 do friction["joint_" .. j] = 0 end -- what the world's file says

return {
  armature = arm.armature,
  gravity = "input",
  groups = {
    { name = "tool", frame = "tool_frame" },
    { name = "last", frame = "bracelet_link" },
  },
  -- its end is the frame's origin
  contacts = { { name = "fingertip", frame = "tool_frame", at = { 0, 0, -0.01 }, radius = 0.01 } },
  limits = {},
  friction = { coulomb = friction },
  outputs = {
    pose = { "tool_frame", "bracelet_link" }, twist = { "bracelet_link" }, acc = { "bracelet_link" },
  },
  step = {},
}
