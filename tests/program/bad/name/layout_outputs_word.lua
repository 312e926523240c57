-- robot: ../../../../robots/gen3.urdf
return { outputs = { "qdd", poses = { "tool_frame" } } }
--> layout_outputs_word.lua:2: error: unknown word "poses" in "outputs"
-->   remedy: did you mean "pose"?
