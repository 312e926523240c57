-- robot: ../../../../robots/gen3.urdf
return {
  payload = { mass = 2 },
}
--> layout_payload_no_frame.lua:3: error: payload "payload" has no frame
-->   remedy: name the link it is fixed to: frame = ...
