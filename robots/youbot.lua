-- KUKA youBot: the gripper's acceleration is constrained in six directions, and base and arm share
-- them out by least constraint: the base moves where that is less effort. base.wrench_ctrl is what the
-- mecanum wheels have to exert on the floor together. The row of the base's heading keeps it from
-- turning, where it is not masked out.
return {
  base = "planar",
  passive = { "caster_joint_fl", "caster_joint_fr", "caster_joint_bl", "caster_joint_br" },
  armature = { -- [kg m^2]
    arm_joint_1 = 0.33848, arm_joint_2 = 0.33848, arm_joint_3 = 0.13571,
    arm_joint_4 = 0.04698, arm_joint_5 = 0.01799,
  },
  torques = { physical = true, artificial = true },
  wrenches = { { name = "load", frame = "gripper_palm_link", kind = "physical" } },
  groups = {
    { name = "grip", frame = "gripper_palm_link", maskable = true },
    { name = "heading", frame = "base_link", rows = { "ang_z" }, maskable = true },
  },
  outputs = { "qdd", "nu", "tau_ctrl", "pivot_min", pose = { "gripper_palm_link" }, twist = { "gripper_palm_link" } },
}
