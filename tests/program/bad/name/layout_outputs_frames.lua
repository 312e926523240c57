-- robot: ../../../../robots/gen3.urdf
return { outputs = { "qdd", "acc" } }
--> layout_outputs_frames.lua:2: error: output "acc" needs frames
-->   remedy: acc = { "tool_frame" }
