-- robot: ../../../../robots/gen3.urdf
return {
  groups = {
    { name = "foot", frame = "tool_frame", rows = 3,
      contact = { normal = "lin_z", friction = 0.6 } },
  },
}
--> layout_contact_free.lua:5: error: group "foot" has free directions, of which none is the normal
-->   remedy: name its rows: rows = { "lin_x", "lin_y", "lin_z" }
