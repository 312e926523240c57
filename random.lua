return {
  name = "some_robot",
  locked = { ["j3"] = 0.50185412688528985, },
  passive = { "j1", },
  base = "planar",
  gravity = { 6.712424919832948, -1.3007309352563432, 5.4460121738418401 },
  armature = "input",
  torques = { physical = false, artificial = true },
  saturate = true,
  wrenches = {
    { name = "wrench1", frame = "f2", kind = "physical" },
  },
  groups = {
    { name = "group3", frame = "l2", rows = { "ang_z", "lin_z", "lin_y", "ang_y", }, maskable = true },
    { name = "group2", frame = "l1", rows = 3, acceleration = "spatial" },
  },
  singularity = "damp",
  singular_threshold = 9.9999999999999995e-07,
  outputs = { "qdd", "nu", "tau_ctrl", "tau_total", "residual", "pivot_min", "pivot", twist = { "base", }, pose = { "l3", }, acceleration = "spatial", },
}
