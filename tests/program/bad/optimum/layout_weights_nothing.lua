-- robot: ../../../../robots/gen3.urdf
return {
  groups = { { name = "tool", frame = "tool_frame", weights = 0 } },
}
--> layout_weights_nothing.lua:3: error: group "tool" has weights, and the layout has nothing that they are of
-->   remedy: add wrenches or torques, or leave weights out
