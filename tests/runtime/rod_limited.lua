-- A rod with dry friction and a motor of 4 N m, loaded by a torque, that is to accelerate as the row says.
return {
  name = "rod_limited",
  realise = "optimum",
  gravity = { 0, 0, 0 },
  torques = { physical = true },
  effort = { joint1 = 4 },
  friction = { coulomb = "input", breakaway = "input" },
  groups = { { name = "rod", joint = "joint1", maskable = true } },
  outputs = { "qdd", "tau_ctrl", "tau_friction" },
}
