-- robot: ../../../../robots/gen3.urdf
return { outputs = { "qdd", "acceleration" } }
--> layout_outputs_acceleration.lua:2: error: unknown output "acceleration"
-->   remedy: there is "qdd", "nu", "tau_ctrl", "tau_total", "tau_apparent", "tau_friction", "pivot_min", "pivot", "residual", "bound", "scale", "Z", ...
