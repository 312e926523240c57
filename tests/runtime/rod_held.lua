-- The same, its acceleration imposed: nothing is left free.
return {
  name = "rod_held",
  gravity = { 0, 0, 0 },
  friction = "urdf",
  wrenches = { { name = "push", frame = "tip", kind = "physical" } },
  groups = { { name = "tip", frame = "tip", rows = { "ang_z" } } },
  outputs = { "qdd", "nu", "tau_ctrl", "Z" },
}
