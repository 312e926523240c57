-- robot: ../../../../robots/gen3.urdf
return {
  groups = {
    { name = "tool", frame = "tool_frame", rows = { "lin_x", "lin_z" }, compliance = { lin_y = 0.1 } },
  },
}
--> layout_compliance_row.lua:4: error: unknown word "lin_y" in "groups[1].compliance"
-->   remedy: did you mean "lin_x" or "lin_z"?
