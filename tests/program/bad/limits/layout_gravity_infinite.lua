-- robot: ../../../../robots/gen3.urdf
return { gravity = { 0, 0, -math.huge } }
--> layout_gravity_infinite.lua:2: error: "gravity[3]" is not finite
-->   remedy: write a finite number there
