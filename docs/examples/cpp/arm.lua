-- Kinova Gen3, the tool held in all six directions; fk and fvk give the tool's pose and twist.
return {
  armature = {
    joint_1 = 0.5580, joint_2 = 0.5580, joint_3 = 0.5580, joint_4 = 0.5580,
    joint_5 = 0.1389, joint_6 = 0.1389, joint_7 = 0.1389,
  },
  gravity = { 0, 0, -9.81 },
  torques = { artificial = true },
  groups = { { name = "tool", frame = "tool_frame" } },
  outputs = { "qdd", "tau_ctrl" },
}
