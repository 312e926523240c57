-- robot: ../../../../robots/gen3.urdf
return { gravity = { 0, 0 / 0, 1 } }
--> layout_gravity_nan.lua:2: error: "gravity[2]" is not finite
-->   remedy: write a finite number there
