-- robot: ../../../../robots/gen3.urdf
return {
  torques = { artificial = true }, wrenches = { { name = "push", frame = "tool_frame", kind = "physical" } },
  groups = { { name = "tool", frame = "tool_frame", kind = "physical", weights = 0 } },
}
--> layout_weights_physical.lua:4: error: physical group "tool" has weights: what the environment holds makes up for all that acts
-->   remedy: leave weights out, or write kind = "artificial"
