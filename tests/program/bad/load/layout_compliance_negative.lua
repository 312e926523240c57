-- robot: ../../../../robots/gen3.urdf
return {
  groups = {
    { name = "tool", frame = "tool_frame", rows = { "lin_x", "lin_z" }, compliance = { lin_z = -0.1 } },
  },
}
--> layout_compliance_negative.lua:4: error: the compliance of group "tool" is negative
-->   remedy: give a number of zero (rigid) or more
