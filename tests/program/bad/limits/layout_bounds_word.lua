-- robot: ../../../../robots/gen3.urdf
return {
  groups = { { name = "tool", frame = "tool_frame", bounds = { lin_w = { 0, 5 } } } },
}
--> layout_bounds_word.lua:3: error: unknown word "lin_w" in "groups[1].bounds"
-->   remedy: did you mean "lin_x", "lin_y" or "lin_z"?
