-- robot: ../../../../robots/gen3.urdf
-- Names that other structs or types have are free: fields of the input only must differ.
return {
  wrenches = {
    { name = "nu", frame = "tool_frame", kind = "physical" },
    { name = "tau_ctrl", frame = "forearm_link", kind = "artificial" },
    { name = "Push", frame = "tool_frame", kind = "physical" },
    { name = "push", frame = "tool_frame", kind = "physical" },
    { name = "pose", frame = "tool_frame", kind = "physical" },
    { name = "t1", frame = "tool_frame", kind = "physical" },
    { name = "in", frame = "tool_frame", kind = "physical" },
    { name = "lin", frame = "tool_frame", kind = "physical" },
  },
  groups = {
    { name = "q", frame = "tool_frame", rows = 1 },
    { name = "b", frame = "forearm_link", axes = "input", rows = { "lin_x" } },
  },
}
