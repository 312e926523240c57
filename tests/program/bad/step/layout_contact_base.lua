-- robot: ../../../../robots/gen3.urdf
return {
  contacts = {
    { name = "toe", frame = "base_link" },
  },
}
--> layout_contact_base.lua:4: error: the contact "toe" is fixed to "base_link", which does not move
-->   remedy: name a link that a joint moves, or leave it out
