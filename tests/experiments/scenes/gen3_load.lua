-- A Gen3 that carries 1.5 kg of which its controller knows nothing, the centre at 0.02, -0.01, 0.05 m of the tool
-- frame: ours. Dry friction of 2 % of the URDF's efforts [N m].
local large, small = 0.78, 0.18

return {
  objects = {
    { name = "parcel", kind = "package", mass = 1.5, size = { 0.06, 0.06, 0.06 }, position = { 0.02, -0.01, 0.05 },
      held_by = "tool_frame" },
  },
  robot = {
    friction = {
      joint_1 = large, joint_2 = large, joint_3 = large, joint_4 = large, joint_5 = small, joint_6 = small,
      joint_7 = small,
    },
  },
}
