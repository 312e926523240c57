-- Kinova Gen3 whose rows have bounds: friction and limits of its joints, a tool that presses with at most 50 N along z.
return {
  armature = {
    joint_1 = 0.558, joint_2 = 0.558, joint_3 = 0.558, joint_4 = 0.558, joint_5 = 0.1389, joint_6 = 0.1389,
    joint_7 = 0.1389,
  },
  friction = {
    coulomb = { joint_1 = 3, joint_2 = 3, joint_3 = 3, joint_4 = 3, joint_5 = 1.5, joint_6 = 1.5, joint_7 = 1.5 },
    viscous = { joint_1 = 1, joint_2 = 1, joint_3 = 1, joint_4 = 1, joint_5 = 0.5, joint_6 = 0.5, joint_7 = 0.5 },
  },
  limits = { margin = 0.2 },
  torques = { artificial = true },
  groups = {
    { name = "tool", frame = "tool_frame", maskable = true, bounds = { lin_z = { -50, 50 } } },
  },
  outputs = { "qdd", "nu", "tau_ctrl", "tau_friction", acc = { "tool_frame" } },
}
