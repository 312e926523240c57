-- A Gen3 that holds, moves and presses its tool, with dry friction in its joints: what friction can hold, motors do
-- not.
return {
  armature = {
    joint_1 = 0.5580, joint_2 = 0.5580, joint_3 = 0.5580, joint_4 = 0.5580,
    joint_5 = 0.1389, joint_6 = 0.1389, joint_7 = 0.1389,
  },
  gravity = { 0, 0, -9.81 },
  friction = { coulomb = "input", period = 1e-3 },
  least_torque = true,
  wrenches = {
    { name = "push", frame = "tool_frame", kind = "physical" },
    { name = "press", frame = "tool_frame", kind = "artificial" },
  },
  groups = { { name = "tool", frame = "tool_frame", maskable = true } },
  outputs = { "qdd", "nu", "tau_ctrl", "tau_friction", "Z" },
}
