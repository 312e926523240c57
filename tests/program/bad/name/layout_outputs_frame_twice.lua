-- robot: ../../../../robots/gen3.urdf
return { outputs = { twist = { "tool_frame", "tool_frame" } } }
--> layout_outputs_frame_twice.lua:2: error: "tool_frame" is listed twice in "outputs.twist"
-->   remedy: leave one out
