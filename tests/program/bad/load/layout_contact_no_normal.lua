-- robot: ../../../../robots/gen3.urdf
return {
  groups = {
    { name = "foot", frame = "tool_frame",
      contact = { friction = 0.6 } },
  },
}
--> layout_contact_no_normal.lua:5: error: the contact of group "foot" has no normal
-->   remedy: name the row along which the surface pushes: normal = "lin_z"
