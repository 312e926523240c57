-- A Gen3 with dry friction, which holds with its motors what friction does not, within the motors' limits.
--   achdgen robots/gen3.urdf --layout robots/optimum/gen3_rubs.lua --name rubs
return {
  name = "rubs",
  realise = "optimum",
  gravity = { 0, 0, -9.81 },
  friction = {
    joint_1 = 10, joint_2 = 10, joint_3 = 10, joint_4 = 10,
    joint_5 = 5, joint_6 = 5, joint_7 = 5,
  },
  groups = { { name = "tool", frame = "tool_frame" } },
  outputs = { "qdd", "tau_ctrl", "tau_friction" },
}
