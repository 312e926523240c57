-- A Fetch in the loop of achd/loop.h: its arm, the torso standing still, with the efforts of its published description.
return {
  name = "arm", gravity = { 0, 0, -9.81 }, saturate = true, torques = { artificial = true }, root = "torso",
  armature = {
    joint_1 = 0.05, joint_2 = 0.05, joint_3 = 0.05, joint_4 = 0.05, joint_5 = 0.05, joint_6 = 0.05, joint_7 = 0.05,
  },
  effort = {
    joint_1 = 33.82, joint_2 = 131.76, joint_3 = 76.94, joint_4 = 66.18, joint_5 = 29.35,
    joint_6 = 25.7, joint_7 = 7.36,
  },
  wrenches = {
    { name = "push", frame = "tool", kind = "physical" },
    { name = "press", frame = "tool", kind = "artificial" },
  },
  groups = { { name = "tool", frame = "tool", axes = "input", maskable = true } },
  outputs = { "qdd", "tau_ctrl", pose = { "tool" }, twist = { "tool" } },
}
