-- robot: ../../../../robots/gen3.urdf
return {
  groups = {
    { name = "foot", frame = "tool_frame", rows = { "lin_z", "ang_z" },
      contact = { normal = "lin_z", friction = 0.6 } },
  },
}
--> layout_contact_angular.lua:5: error: row "ang_z" of group "foot" turns, which a contact at a point does not hinder
-->   remedy: give the contact to linear rows only
