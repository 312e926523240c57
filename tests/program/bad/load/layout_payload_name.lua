-- robot: ../../../../robots/gen3.urdf
return {
  payload = { frame = "tool_frame", mass = 2,
    name = "gravity",
  },
}
--> layout_payload_name.lua:4: error: a payload cannot be named "gravity": another field is
-->   remedy: choose another name
