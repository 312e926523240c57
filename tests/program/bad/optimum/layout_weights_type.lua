-- robot: ../../../../robots/gen3.urdf
return {
  torques = { artificial = true }, wrenches = { { name = "push", frame = "tool_frame", kind = "physical" } },
  groups = { { name = "tool", frame = "tool_frame", weights = "all" } },
}
--> layout_weights_type.lua:4: error: "groups[1].weights" is text, not a number, drivers and numbers, as { push = 0.5 }, or "input"
-->   remedy: write a number, drivers and numbers, as { push = 0.5 }, or "input" there
