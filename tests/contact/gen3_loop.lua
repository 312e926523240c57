-- A Kinova Gen3 in the loop of achd/loop.h, with the rotors and efforts of the published controllers.
return {
  name = "arm", gravity = { 0, 0, -9.81 }, saturate = true, torques = { artificial = true },
  armature = {
    joint_1 = 0.5580, joint_2 = 0.5580, joint_3 = 0.5580, joint_4 = 0.5580,
    joint_5 = 0.1389, joint_6 = 0.1389, joint_7 = 0.1389,
  },
  effort = { joint_1 = 55, joint_2 = 55, joint_3 = 55, joint_4 = 55, joint_5 = 28, joint_6 = 28, joint_7 = 28 },
  wrenches = {
    { name = "push", frame = "tool_frame", kind = "physical" },
    { name = "press", frame = "tool_frame", kind = "artificial" },
  },
  groups = { { name = "tool", frame = "tool_frame", axes = "input", maskable = true } },
  outputs = { "qdd", "tau_ctrl", pose = { "tool_frame" }, twist = { "tool_frame" } },
}
