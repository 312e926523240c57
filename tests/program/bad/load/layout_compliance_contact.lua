-- robot: ../../../../robots/quadruped.urdf
return {
  base = "floating",
  realise = "motors",
  groups = {
    { name = "foot", frame = "fl_foot", rows = { "lin_z" }, kind = "physical", compliance = 0.01 },
  },
}
--> layout_compliance_contact.lua:6: error: physical group "foot" is soft, and with realise = "motors" contacts must be rigid
-->   remedy: leave compliance out there, or write realise = "anything"
