-- Kinova Gen3 with 6 joints: as many rows as joints, no freedom left over. Where the wrist or the
-- elbow is stretched the rows are dependent: pivot_min tells, and the status says SINGULAR.
return {
  -- Identified on the arm with 7 joints, whose drives are the same two sizes [kg m^2].
  armature = {
    joint_1 = 0.5580, joint_2 = 0.5580, joint_3 = 0.5580,
    joint_4 = 0.1389, joint_5 = 0.1389, joint_6 = 0.1389,
  },
  torques = { physical = true, artificial = true },
  groups = {
    {
      name = "tool",
      frame = "tool_frame",
      rows = { "lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z" },
      maskable = true,
    },
  },
  outputs = { "qdd", "nu", "tau_ctrl", "pivot_min" },
}
