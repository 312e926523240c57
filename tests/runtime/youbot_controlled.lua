-- The youBot's arm as tasks want it: six rows along the axes of a frame that comes at run time, each maskable (five
-- joints meet five at most), what a force sensor would measure, what the motors shall press.
return {
  armature = {
    arm_joint_1 = 0.33848, arm_joint_2 = 0.33848, arm_joint_3 = 0.13571, arm_joint_4 = 0.04698, arm_joint_5 = 0.01799,
  },
  effort = { arm_joint_1 = 14.9, arm_joint_2 = 14.9, arm_joint_3 = 8, arm_joint_4 = 3.3, arm_joint_5 = 1.2 },
  saturate = true,
  torques = { artificial = true },
  wrenches = {
    { name = "push", frame = "gripper_palm_link", kind = "physical" },
    { name = "press", frame = "gripper_palm_link", kind = "artificial" },
  },
  groups = { { name = "tool", frame = "gripper_palm_link", axes = "input", maskable = true } },
  outputs = { "qdd", "nu", "tau_ctrl", "pivot_min", pose = { "gripper_palm_link" }, twist = { "gripper_palm_link" } },
}
