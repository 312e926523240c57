-- The Gen3 of robots/gen3.lua, with a wrench besides that the motors shall exert at the tool.
return {
  armature = {
    joint_1 = 0.5580, joint_2 = 0.5580, joint_3 = 0.5580, joint_4 = 0.5580,
    joint_5 = 0.1389, joint_6 = 0.1389, joint_7 = 0.1389,
  },
  effort = {
    joint_1 = 55, joint_2 = 55, joint_3 = 55, joint_4 = 55, joint_5 = 28, joint_6 = 28, joint_7 = 28,
  },
  saturate = true,
  torques = { physical = true, artificial = true },
  wrenches = {
    { name = "push", frame = "tool_frame", kind = "physical" },
    { name = "press", frame = "tool_frame", kind = "artificial" },
  },
  groups = { { name = "tool", frame = "tool_frame", maskable = true } },
  outputs = { "qdd", "nu", "tau_ctrl", "pivot_min", pose = { "tool_frame" }, twist = { "tool_frame" } },
}
