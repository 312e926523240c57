-- robot: ../../../../robots/gen3.urdf
return {
  groups = {
    { name = "foot", frame = "tool_frame", rows = { "lin_z" },
      contact = { normal = "lin_z", friction = 0.6 } },
  },
}
--> layout_contact_alone.lua:5: error: group "foot" has no row along the surface
-->   remedy: add rows: rows = { "lin_x", "lin_y", "lin_z" }
