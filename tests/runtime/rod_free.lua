-- The rod of robots/arm1dof.urdf, its joint's friction, a push at the tip.
return {
  name = "rod_free",
  gravity = { 0, 0, 0 },
  friction = "urdf",
  wrenches = { { name = "push", frame = "tip", kind = "physical" } },
  groups = {},
  outputs = { "qdd", "nu", "tau_ctrl", "Z" },
}
