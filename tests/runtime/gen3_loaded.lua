-- The Gen3 with an inertia at the tool that comes at run time: a payload, known to the controller or not.
return {
  armature = {
    joint_1 = 0.5580, joint_2 = 0.5580, joint_3 = 0.5580, joint_4 = 0.5580,
    joint_5 = 0.1389, joint_6 = 0.1389, joint_7 = 0.1389,
  },
  inertia_inputs = { "bracelet_link" },
  torques = { artificial = true },
  wrenches = { { name = "load", frame = "tool_frame", kind = "physical" } },
  groups = { { name = "tool", frame = "tool_frame" } },
  outputs = {
    "qdd", "nu", "tau_ctrl",
    pose = { "tool_frame", "bracelet_link" }, twist = { "tool_frame" },
  },
}
