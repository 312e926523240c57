-- An arm with dry friction at every joint, in steps; a tool that can be held along six rows.
return {
  gravity = { 0, 0, -9.81 },
  friction = { coulomb = "input", period = "input" },
  least_torque = true,
  torques = { artificial = true },
}
