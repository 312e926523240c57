-- robot: ../../../../robots/gen3.urdf
return {
  passive = { "tool_frame" },
}
--> layout_passive_by_link.lua:3: error: "tool_frame" is a link, not a joint
-->   remedy: name a joint that moves; "tool_frame_joint", which carries this link, is fixed
