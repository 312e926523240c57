-- KUKA youBot arm: five joints cannot meet six rows. Position is constrained along the base's axes,
-- orientation about the gripper's: the turn about its approach axis z, and one tilt; the other
-- tilt stays free.
return {
  armature = { -- [kg m^2]
    arm_joint_1 = 0.33848, arm_joint_2 = 0.33848, arm_joint_3 = 0.13571,
    arm_joint_4 = 0.04698, arm_joint_5 = 0.01799,
  },
  effort = { -- [N m]; what the published controllers of this arm allow
    arm_joint_1 = 14.9, arm_joint_2 = 14.9, arm_joint_3 = 8, arm_joint_4 = 3.3, arm_joint_5 = 1.2,
  },
  torques = { physical = true, artificial = true },
  groups = {
    {
      name = "grip",
      frame = "gripper_palm_link",
      rows = { "lin_x", "lin_y", "lin_z" },
      maskable = true,
    },
    {
      name = "tilt",
      frame = "gripper_palm_link",
      axes = "link",
      rows = { "ang_y", "ang_z" },
      maskable = true,
    },
  },
  outputs = { "qdd", "nu", "tau_ctrl", "pivot_min" },
}
