return {
  name = "robot",
  effort = { ["j1"] = 31.375469013865111, },
  base = "floating",
  orientation = "matrix",
  armature = { ["j4"] = 0.085482405513262999, },
  wrenches = {
    { name = "wrench3", frame = "l3", kind = "physical" },
    { name = "wrench2", frame = "l5", kind = "physical" },
    { name = "wrench1", frame = "l3", kind = "physical" },
  },
  groups = {
    { name = "group3", frame = "l4", rows = { "lin_z", "ang_x", "ang_z", "lin_y", "lin_x", "ang_y", }, axes = "input", acceleration = "spatial" },
    { name = "group2", frame = "base", rows = 2 },
  },
  singularity = "damp",
  singular_threshold = 1e-13,
  outputs = { "qdd", "nu", "tau_ctrl", "tau_apparent", "residual", "pivot_min", "pivot", twist = { "l4", "l1", }, acceleration = "spatial", },
}
