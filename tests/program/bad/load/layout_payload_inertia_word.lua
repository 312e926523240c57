-- robot: ../../../../robots/gen3.urdf
return {
  payload = { frame = "tool_frame", mass = 2,
    inertia = { ixx = 0.01, iyx = 0.01 },
  },
}
--> layout_payload_inertia_word.lua:4: error: unknown word "iyx" in "payload.inertia"
-->   remedy: did you mean "ixx", "ixy" or "iyy"?
