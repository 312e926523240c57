-- robot: ../../../../robots/gen3.urdf
return {
  payload = {
    frame = "tool_frame",
    mass = -2,
  },
}
--> layout_payload_mass.lua:5: error: the mass of payload "payload" is not positive
-->   remedy: give it in kg
