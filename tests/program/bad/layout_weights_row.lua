-- robot: ../../../robots/gen3.urdf
return {
  torques = { artificial = true }, wrenches = { { name = "push", frame = "tool_frame", kind = "physical" } },
  groups = { { name = "tool", frame = "tool_frame", rows = { "lin_x", "lin_z" }, weights = { push = { lin_y = 0 } } } },
}
