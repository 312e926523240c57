-- robot: ../../../../robots/gen3.urdf
return {
  payload = {
    frame = "base_link",
    mass = 2,
  },
}
--> layout_payload_base.lua:4: error: payload "payload" is fixed to "base_link", which does not move
-->   remedy: name a link that a joint moves, or leave it out
