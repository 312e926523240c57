-- KUKA LWR 4+: motion along some axes of the flange, force along the others. Rows that a task does not
-- constrain are masked out; "press" is the wrench that the motors are to exert there.
-- The URDF's link inertias are guesses (see its head); the rotors below were identified.
return {
  armature = { -- [kg m^2]
    lwr_a1_joint = 3.19, lwr_a2_joint = 3.05, lwr_e1_joint = 1.98, lwr_a3_joint = 2.05,
    lwr_a4_joint = 0.787, lwr_a5_joint = 0.391, lwr_a6_joint = 0.394,
  },
  effort = { lwr_a5_joint = 30, lwr_a6_joint = 30 }, -- [N m]; the URDF says 38
  torques = { physical = true, artificial = true },
  wrenches = {
    { name = "push", frame = "lwr_7_link", kind = "physical" },
    { name = "press", frame = "lwr_7_link", kind = "artificial" },
  },
  groups = {
    {
      name = "tool",
      frame = "lwr_7_link",
      rows = { "lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z" },
      maskable = true,
    },
  },
  outputs = { "qdd", "nu", "tau_ctrl", "pivot_min" },
}
