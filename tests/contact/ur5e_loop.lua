-- A UR5e in the loop of achd/loop.h, with the efforts of its data sheet.
return {
  name = "arm", gravity = { 0, 0, -9.81 }, saturate = true, torques = { artificial = true },
  effort = { joint_1 = 150, joint_2 = 150, joint_3 = 150, joint_4 = 28, joint_5 = 28, joint_6 = 28 },
  wrenches = {
    { name = "push", frame = "tool", kind = "physical" },
    { name = "press", frame = "tool", kind = "artificial" },
  },
  groups = { { name = "tool", frame = "tool", axes = "input", maskable = true } },
  outputs = { "qdd", "tau_ctrl", pose = { "tool" }, twist = { "tool" } },
}
