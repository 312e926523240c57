-- A Kinova Gen3 beside a table, with a package on it: its home posture, its motors, a rounded fingertip.
--   achdgen robots/gen3.urdf --layout robots/gen3.lua --mjcf gen3_table.xml --scene robots/scenes/gen3_table.lua
-- Rotor inertias come from the layout; what is not known of the arm (friction of its joints) is not made up here.

local large, small = { 2000, 100 }, { 500, 50 } -- kp [N m/rad], kd [N m s/rad], as MuJoCo Menagerie has them

return {
  floor = true,
  objects = {
    { name = "desk", kind = "table", height = 0.10, position = { 0.55, 0 }, size = { 0.5, 0.8 },
      surface = { friction = 0.5 } },
    {
      name = "parcel", kind = "package", size = { 0.08, 0.08, 0.08 }, mass = 0.5, position = { 0.65, 0.25, 0.14 },
      surface = { friction = 0.6 },
    },
  },
  robot = {
    posture = { joint_2 = 0.2618, joint_3 = 3.1416, joint_4 = -2.2689, joint_6 = 0.9599, joint_7 = 1.5708 },
    -- motor current to joint torque, gear 100 to 1 [N m/A]
    torque_constant = {
      joint_1 = 11.0, joint_2 = 11.0, joint_3 = 11.0, joint_4 = 11.0, joint_5 = 7.6, joint_6 = 7.6, joint_7 = 7.6,
    },
    servo = {
      joint_1 = large, joint_2 = large, joint_3 = large, joint_4 = large,
      joint_5 = small, joint_6 = small, joint_7 = small,
    },
    force_torque = "tool_frame",
    shapes = { tool_frame = { { kind = "sphere", radius = 0.01, position = { 0, 0, -0.01 } } } },
  },
}
