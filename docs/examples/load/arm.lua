-- The Gen3 with a gripper, and with the inertia of its last link at run time: what the fingers hold.
return {
  -- a gripper with its fingers, as two Robotiq fingers with their coupling weigh
  payload = { frame = "end_effector_link", mass = 0.925, com = { 0, 0, 0.05 } },
  inertia_inputs = { "bracelet_link" },
  armature = { -- rotor inertia at the joints [kg m^2]
    joint_1 = 0.5580, joint_2 = 0.5580, joint_3 = 0.5580, joint_4 = 0.5580,
    joint_5 = 0.1389, joint_6 = 0.1389, joint_7 = 0.1389,
  },
  effort = { -- [N m]
    joint_1 = 55, joint_2 = 55, joint_3 = 55, joint_4 = 55, joint_5 = 28, joint_6 = 28, joint_7 = 28,
  },
  gravity = { 0, 0, -9.81 },
  saturate = true,
  torques = { artificial = true },
  wrenches = {
    { name = "push", frame = "tool_frame", kind = "physical" },
    { name = "press", frame = "tool_frame", kind = "artificial" },
  },
  groups = { { name = "tool", frame = "tool_frame", axes = "input", maskable = true } },
  outputs = { "qdd", "nu", "tau_ctrl", "pivot_min", pose = { "tool_frame" }, twist = { "tool_frame" } },
}
