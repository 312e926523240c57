-- A base in the plane as the tool of a task: its own frame, along axes that the task gives.
return {
  base = "planar",
  gravity = { 0, 0, 0 },
  wrenches = { { name = "load", frame = "base_link", kind = "physical" } },
  groups = {
    { name = "base", frame = "base_link", axes = "input", rows = { "lin_x", "lin_y", "ang_z" }, maskable = true },
  },
  outputs = { "nu", acc = { "base_link" } },
}
