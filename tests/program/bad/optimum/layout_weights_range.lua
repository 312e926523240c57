-- robot: ../../../../robots/gen3.urdf
return {
  torques = { artificial = true }, wrenches = { { name = "push", frame = "tool_frame", kind = "physical" } },
  groups = { { name = "tool", frame = "tool_frame", weights = { push = 1.5 } } },
}
--> layout_weights_range.lua:4: error: the weight 1.5 is not from 0 to 1
-->   remedy: write 1 where the row makes up for the driver, 0 where the driver passes
