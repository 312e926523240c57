-- robot: ../../../../robots/gen3.urdf
return {
  torques = { artificial = true }, wrenches = { { name = "push", frame = "tool_frame", kind = "physical" } },
  groups = { { name = "tool", frame = "tool_frame", weights = { pull = 0.5 } } },
}
--> layout_weights_driver.lua:4: error: unknown word "pull" in "groups[1].weights"
-->   remedy: did you mean "push"?
