-- robot: ../../../../robots/gen3.urdf
return { outputs = { "qdd", "tau" } }
--> layout_outputs_unknown.lua:2: error: unknown output "tau"
-->   remedy: did you mean "nu", "dtau_dq" or "tau_ctrl"?
