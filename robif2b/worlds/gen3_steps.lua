-- SPDX-License-Identifier: MIT
-- The Gen3 of the simulated devices, moved by generated steps: that of robots/gen3.lua, whose fingertip touches a plane.
local arm = include "gen3.lua"
local friction = {}
for j = 1, 7 do friction["joint_" .. j] = 0 end -- what the world's file says

return {
  armature = arm.armature,
  gravity = "input",
  groups = {
    { name = "tool", frame = "tool_frame", rows = { "lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z" } },
    { name = "last", frame = "bracelet_link", rows = { "lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z" } },
  },
  contacts = { { name = "fingertip", frame = "tool_frame", at = { 0, 0, -0.01 }, radius = 0.01 } }, -- its end is the frame's origin
  limits = {},
  friction = { coulomb = friction },
  outputs = { pose = { "tool_frame", "bracelet_link" }, twist = { "bracelet_link" }, acc = { "bracelet_link" } },
  step = {},
}
