-- robot: ../../../../robots/gen3.urdf
return {
  torques = { artificial = true }, wrenches = { { name = "push", frame = "tool_frame", kind = "physical" } },
  groups = { { name = "tool", frame = "tool_frame", weights = { push = 0 / 0 } } },
}
--> layout_weights_nan.lua:4: error: "groups[1].weights.push" is not finite
-->   remedy: write a finite number there
