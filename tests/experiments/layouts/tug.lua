-- A vehicle whose hook is led to the eye of another: the acceleration of the hook is given, in the plane.
return {
  base = "planar",
  gravity = { 0, 0, 0 },
  wrenches = { { name = "load", frame = "base_link", kind = "physical" } },
  groups = { { name = "hook", frame = "hook", rows = { "lin_x", "lin_y", "ang_z" }, maskable = true } },
  outputs = { "nu", acc = { "hook", "eye" }, pose = { "hook", "eye" }, twist = { "hook", "eye" } },
}
