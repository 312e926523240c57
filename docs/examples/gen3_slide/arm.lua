-- Kinova Gen3 as a task wants it: six rows at the tool along axes that come at run time (the task's frame), each of
-- them maskable; the wrench that the sensor measures, and the one that the motors are to exert.
return {
  armature = { -- rotor inertia at the joints [kg m^2]
    joint_1 = 0.5580, joint_2 = 0.5580, joint_3 = 0.5580, joint_4 = 0.5580,
    joint_5 = 0.1389, joint_6 = 0.1389, joint_7 = 0.1389,
  },
  effort = { -- [N m]
    joint_1 = 55, joint_2 = 55, joint_3 = 55, joint_4 = 55, joint_5 = 28, joint_6 = 28, joint_7 = 28,
  },
  saturate = true,
  gravity = { 0, 0, -9.81 },
  torques = { artificial = true },
  wrenches = {
    { name = "push", frame = "tool_frame", kind = "physical" },
    { name = "press", frame = "tool_frame", kind = "artificial" },
  },
  groups = { { name = "tool", frame = "tool_frame", axes = "input", maskable = true } },
  outputs = { "qdd", "nu", "tau_ctrl", "pivot_min", pose = { "tool_frame" }, twist = { "tool_frame" } },
}
