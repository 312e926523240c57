-- robot: ../../../../robots/gen3.urdf
return {
  realise = "optimum",
  groups = { { name = "tool", frame = "tool_frame", rows = { "lin_z" }, kind = "physical", upper = "input" } },
}
--> layout_upper_physical.lua:4: error: group "tool" is physical, and only artificial rows have a range
-->   remedy: leave it out
