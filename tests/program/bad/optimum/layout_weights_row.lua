-- robot: ../../../../robots/gen3.urdf
return {
  torques = { artificial = true }, wrenches = { { name = "push", frame = "tool_frame", kind = "physical" } },
  groups = { { name = "tool", frame = "tool_frame", rows = { "lin_x", "lin_z" }, weights = { push = { lin_y = 0 } } } },
}
--> layout_weights_row.lua:4: error: unknown word "lin_y" in "groups[1].weights.push"
-->   remedy: did you mean "lin_x" or "lin_z"?
