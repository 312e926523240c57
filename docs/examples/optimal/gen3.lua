-- gen3.lua: the dynamics of a Gen3 and where its forearm, wrist and tool are, for swing.c.
return {
  armature = {
    joint_1 = 0.5580, joint_2 = 0.5580, joint_3 = 0.5580, joint_4 = 0.5580,
    joint_5 = 0.1389, joint_6 = 0.1389, joint_7 = 0.1389,
  },
  gravity = { 0, 0, -9.81 },
  step = { time_step = 5e-3 },
  groups = {
    { name = "elbow", frame = "forearm_link", rows = { "lin_x" } },
    { name = "wrist", frame = "spherical_wrist_1_link", rows = { "lin_x" } },
    { name = "tool", frame = "tool_frame", rows = { "lin_x" } },
  },
}
