-- robot: ../../../../robots/gen3.urdf
return { outputs = { "qdd", "qdd" } }
--> layout_outputs_twice.lua:2: error: output "qdd" is listed twice
-->   remedy: leave one out
