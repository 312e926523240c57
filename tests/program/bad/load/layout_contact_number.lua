-- robot: ../../../../robots/gen3.urdf
return {
  groups = {
    { name = "foot", frame = "tool_frame",
      contact = 0.6 },
  },
}
--> layout_contact_number.lua:5: error: "groups[1].contact" is a number, not a table: { normal = "lin_z", friction = 0.6 }
-->   remedy: write a table: { normal = "lin_z", friction = 0.6 } there
