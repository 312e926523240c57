-- robot: ../../../../robots/gen3.urdf
return { inertia_inputs = { "bracelet" } }
--> layout_inertia_unknown.lua:2: error: the robot has no link "bracelet"
-->   remedy: did you mean "bracelet_link"?
