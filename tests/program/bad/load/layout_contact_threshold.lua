-- robot: ../../../../robots/gen3.urdf
return {
  groups = {
    { name = "foot", frame = "tool_frame", contact = { normal = "lin_z", friction = 0.6 },
      threshold = 0.01 },
  },
}
--> layout_contact_threshold.lua:5: error: group "foot" has contact and threshold
-->   remedy: put it into contact: contact = { normal = "lin_z", threshold = ... }
