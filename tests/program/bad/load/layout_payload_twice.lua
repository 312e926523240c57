-- robot: ../../../../robots/gen3.urdf
return {
  payload = {
    { frame = "tool_frame", mass = 2 },
    { frame = "forearm_link", mass = 1 },
  },
}
--> layout_payload_twice.lua:5: error: two payloads are named "payload"
-->   remedy: give each its own name: name = "box"
