-- robot: ../../../../robots/gen3.urdf
return {
  tips = { "forearm_link" },
  groups = {},
  payload = { frame = "tool_frame", mass = 2 },
}
--> layout_payload_not_selected.lua:5: error: link "tool_frame" is not in the part of the robot that root and tips select
-->   remedy: select it, or name another
