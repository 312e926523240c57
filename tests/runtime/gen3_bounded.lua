-- gen3 with everything at once: friction, limits, a task with limited force, a floor that pushes with at most 60 N.
return {
  armature = {
    joint_1 = 0.558, joint_2 = 0.558, joint_3 = 0.558, joint_4 = 0.558, joint_5 = 0.1389, joint_6 = 0.1389,
    joint_7 = 0.1389,
  },
  friction = { joint_1 = 2, joint_2 = 2, joint_3 = 2, joint_4 = 2, joint_5 = 1, joint_6 = 1, joint_7 = 1 },
  limits = { margin = 0.2 },
  torques = { physical = true, artificial = true },
  wrenches = { { name = "reaction", frame = "tool_frame", kind = "physical" } },
  groups = {
    { name = "task", frame = "tool_frame", rows = { "lin_x", "lin_y", "lin_z" }, bounds = { -80, 80 } },
    { name = "floor", frame = "tool_frame", rows = { "lin_z" }, kind = "physical", maskable = true,
      bounds = { 0, 60 } },
  },
  outputs = { "qdd", "nu", "tau_ctrl", "tau_friction", pose = { "tool_frame" }, twist = { "tool_frame" },
    acc = { "tool_frame" } },
}
