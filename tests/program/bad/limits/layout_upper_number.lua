-- robot: ../../../../robots/gen3.urdf
return {
  realise = "optimum",
  groups = { { name = "tool", frame = "tool_frame", upper = 2 } },
}
--> layout_upper_number.lua:4: error: "groups[1].upper" is a number, not "input"
-->   remedy: write "input" there
