-- robot: ../../../../robots/gen3.urdf
return {
  payload = { frame = "tool_frame", mass = 2,
    inertia = { 0.01, 0.02, 0, 0.01, 0, 0.01 },
  },
}
--> layout_payload_inertia.lua:4: error: the inertia has a negative principal moment, as no body has
-->   remedy: write it about the centre of mass, along the frame's axes [kg m^2]
