-- robot: ../../../../robots/gen3.urdf
return {
  torques = { artificial = true }, wrenches = { { name = "push", frame = "tool_frame", kind = "physical" } },
  groups = { { name = "tool", frame = "tool_frame", over = "yields", weights = 0 } },
}
--> layout_weights_over.lua:4: error: group "tool" has over and weights
-->   remedy: write weights alone: with a weight of 0 the row yields
