-- A table to slide on, 0.25 m below the published start; its friction, 0.2, and the tool's tip, a ball of 0.02 m, are
-- ours. Current to torque as identified [N m/A] (11.0 and 7.6). Nothing is known of the joints' friction: none.
local kt = { joint_1 = 11, joint_2 = 11, joint_3 = 11, joint_4 = 11, joint_5 = 7.6, joint_6 = 7.6, joint_7 = 7.6 }
local surface = { friction = 0.2, time_constant = 0.02, damping_ratio = 1 }

return {
  objects = {
    { name = "desk", kind = "table", height = 0.184 - 0.02, position = { 0.55, 0 }, size = { 0.5, 0.6 },
      surface = surface },
  },
  robot = {
    torque_constant = kt,
    force_torque = "tool_frame",
    no_contact = { "end_effector_link", "bracelet_link", "spherical_wrist_2_link", "spherical_wrist_1_link" },
    shapes = {
      tool_frame = { { kind = "sphere", radius = 0.02 } },
    },
  },
}
