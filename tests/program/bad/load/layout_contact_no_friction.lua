-- robot: ../../../../robots/gen3.urdf
return {
  groups = {
    { name = "foot", frame = "tool_frame",
      contact = { normal = "lin_z" } },
  },
}
--> layout_contact_no_friction.lua:5: error: the contact of group "foot" has rows along the surface and no friction
-->   remedy: give friction = 0.6 (or "input"), or leave the normal alone: rows = { "lin_z" }
