-- robot: ../../../../robots/gen3.urdf
return {
  groups = {
    { name = "foot", frame = "tool_frame",
      contact = { normal = "lin_z",
        friction = -0.6 } },
  },
}
--> layout_contact_negative.lua:6: error: the coefficient of friction is negative
-->   remedy: give a number of zero or more
