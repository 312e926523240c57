-- robot: ../../../../robots/gen3.urdf
return {
  groups = {
    { name = "tool", frame = "tool_frame", compliance = "soft" },
  },
}
--> layout_compliance_type.lua:4: error: "groups[1].compliance" is text, not a number [1/kg, 1/(kg m^2)], or "input"
-->   remedy: write a number [1/kg, 1/(kg m^2)], or "input" there
