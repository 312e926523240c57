-- robot: ../../../../robots/gen3.urdf
return {
  groups = {
    { name = "foot", frame = "tool_frame", contact = { normal = "lin_z", friction = 0.6 },
      bounds = { 0, 1 } },
  },
}
--> layout_contact_bounds.lua:5: error: group "foot" has contact and bounds
-->   remedy: leave one out: contact gives the bounds
