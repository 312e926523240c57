-- robot: ../../../../robots/gen3.urdf
return { tips = { "tool_frame", "tool_frame" } }
--> layout_tip_twice.lua:2: error: "tool_frame" is listed twice in "tips"
-->   remedy: leave one out
