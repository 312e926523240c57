-- The LWR 4 as tasks want it: six rows along the axes of a frame that comes at run time, each maskable, what a force
-- sensor measures, what the motors shall press.
return {
  armature = {
    lwr_a1_joint = 3.19, lwr_a2_joint = 3.05, lwr_e1_joint = 1.98, lwr_a3_joint = 2.05,
    lwr_a4_joint = 0.787, lwr_a5_joint = 0.391, lwr_a6_joint = 0.394,
  },
  effort = { lwr_a5_joint = 30, lwr_a6_joint = 30 },
  saturate = true,
  torques = { artificial = true },
  wrenches = {
    { name = "push", frame = "lwr_7_link", kind = "physical" },
    { name = "press", frame = "lwr_7_link", kind = "artificial" },
  },
  groups = { { name = "tool", frame = "lwr_7_link", axes = "input", maskable = true } },
  outputs = { "qdd", "nu", "tau_ctrl", "pivot_min", pose = { "lwr_7_link" }, twist = { "lwr_7_link" } },
}
