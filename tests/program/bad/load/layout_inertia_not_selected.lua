-- robot: ../../../../robots/gen3.urdf
return { tips = { "forearm_link" }, inertia_inputs = { "bracelet_link" } }
--> layout_inertia_not_selected.lua:2: error: link "bracelet_link" is not in the part of the robot that root and tips select
-->   remedy: select it, or name another
