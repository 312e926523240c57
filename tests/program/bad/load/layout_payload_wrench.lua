-- robot: ../../../../robots/gen3.urdf
return {
  payload = { frame = "tool_frame", mass = 2 },
  wrenches = {
    { name = "payload", frame = "tool_frame", kind = "physical" },
  },
}
--> layout_payload_wrench.lua:5: error: a wrench and a payload are named "payload"
-->   remedy: give each its own name
