-- KUKA LBR iiwa 7 R800: rows along axes that the caller gives at run time, so that the task's own frame
-- can be used: axes.tool is the rotation from the task's frame to the base's.
return {
  effort = { -- [N m], the data sheet's; the URDF's 300 is a placeholder
    iiwa_joint_1 = 176, iiwa_joint_2 = 176, iiwa_joint_3 = 110, iiwa_joint_4 = 110,
    iiwa_joint_5 = 110, iiwa_joint_6 = 40, iiwa_joint_7 = 40,
  },
  torques = { physical = true, artificial = true },
  groups = {
    {
      name = "tool",
      frame = "iiwa_link_ee",
      axes = "input",
      rows = { "lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z" },
      maskable = true,
    },
  },
  outputs = { "qdd", "nu", "tau_ctrl", "pivot_min" },
}
