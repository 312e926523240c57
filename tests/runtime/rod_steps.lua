-- A rod with friction in steps, nothing else.
return {
  name = "rod_steps",
  gravity = { 0, 0, 0 },
  friction = { coulomb = "urdf", period = "input" },
  groups = {},
  outputs = { "qdd", "nu", "tau_ctrl", "dqdd_dqd" },
}
