-- robot: ../../../../robots/gen3.urdf
return {
  wrenches = { { name = "weight", frame = "tool_frame", kind = "physical" } },
  groups = { { name = "tool", frame = "tool_frame", weights = "input" } },
}
--> layout_weights_name.lua:3: error: a wrench cannot be named "weight" beside weights = "input"
-->   remedy: choose another name
