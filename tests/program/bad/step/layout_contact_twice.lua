-- robot: ../../../../robots/gen3.urdf
return {
  contacts = {
    { name = "toe", frame = "tool_frame" },
    { name = "toe", frame = "forearm_link" },
  },
}
--> layout_contact_twice.lua:5: error: two contacts are named "toe"
-->   remedy: give each its own name
