-- robot: ../../../../robots/gen3.urdf
return { outputs = "qdd" }
--> layout_outputs_text.lua:2: error: "outputs" is text, not a table of outputs
-->   remedy: write a table of outputs there
