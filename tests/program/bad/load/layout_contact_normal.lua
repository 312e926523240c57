-- robot: ../../../../robots/gen3.urdf
return {
  groups = {
    { name = "foot", frame = "tool_frame", rows = { "lin_x", "lin_y" },
      contact = { normal = "lin_z", friction = 0.6 } },
  },
}
--> layout_contact_normal.lua:5: error: the normal "lin_z" is no row of group "foot"
-->   remedy: did you mean "lin_x" or "lin_y"?
