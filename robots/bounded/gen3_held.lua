-- Kinova Gen3 that holds its tool with as little torque as the friction of its joints allows.
return {
  name = "held",
  friction = {
    coulomb = { joint_1 = 3, joint_2 = 3, joint_3 = 3, joint_4 = 3, joint_5 = 1.5, joint_6 = 1.5, joint_7 = 1.5 },
  },
  least_torque = true,
  groups = { { name = "tool", frame = "tool_frame", maskable = true } },
  outputs = { "qdd", "nu", "tau_ctrl", "tau_friction" },
}
