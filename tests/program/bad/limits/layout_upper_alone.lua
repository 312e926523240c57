-- robot: ../../../../robots/gen3.urdf
return {
  groups = { { name = "tool", frame = "tool_frame", upper = "input" } },
}
--> layout_upper_alone.lua:3: error: "upper" is a word of realise = "optimum"
-->   remedy: write realise = "optimum", or leave it out
