-- robot: ../../../../robots/gen3.urdf
return {
  payload = { frame = "tool_frame", mass = 2,
    com = { 0, 0 },
  },
}
--> layout_payload_com.lua:4: error: "payload.com" has 2 numbers
-->   remedy: write three numbers { x, y, z }, or "input"
