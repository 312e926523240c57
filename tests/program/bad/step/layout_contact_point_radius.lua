-- robot: ../../../../robots/gen3.urdf
return {
  contacts = { { name = "toe", frame = "tool_frame", kind = "point", radius = 0.02 } },
}
--> layout_contact_point_radius.lua:3: error: the contact "toe" is a point, and has a radius
-->   remedy: leave radius out, or write kind = "sphere"
