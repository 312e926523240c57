-- robot: ../../../../robots/gen3.urdf
return { motors = { { inertia = 1 } } }
--> nameless.lua:2: error: there is a value without a motor in "motors"
-->   remedy: name its motor: motors = { left = { .. } }
