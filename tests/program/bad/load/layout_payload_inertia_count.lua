-- robot: ../../../../robots/gen3.urdf
return {
  payload = { frame = "tool_frame", mass = 2,
    inertia = { 0.01, 0.02 },
  },
}
--> layout_payload_inertia_count.lua:4: error: "payload.inertia" has 2 numbers
-->   remedy: write six numbers { xx, xy, xz, yy, yz, zz }, names such as { ixx = 0.01, iyy = 0.01, izz = 0.01 }, or "input"
