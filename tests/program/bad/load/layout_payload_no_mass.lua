-- robot: ../../../../robots/gen3.urdf
return {
  payload = { frame = "tool_frame" },
}
--> layout_payload_no_mass.lua:3: error: payload "payload" has no mass
-->   remedy: give it in kg, or at run time: mass = "input"
