-- The Gen3 with a tool that presses on a table: a sensor tells the push, rows weigh it at run time.
return {
  name = "arm", gravity = { 0, 0, -9.81 }, torques = { artificial = true },
  wrenches = { { name = "push", frame = "tool_frame", kind = "physical" } },
  groups = { { name = "tool", frame = "tool_frame", weights = "input" } },
  outputs = { "qdd", "tau_ctrl", pose = { "tool_frame" }, twist = { "tool_frame" } },
}
