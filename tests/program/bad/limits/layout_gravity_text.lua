-- robot: ../../../../robots/gen3.urdf
return { gravity = { 0, 0, "-9.81" } }
--> layout_gravity_text.lua:2: error: "gravity[3]" is text, not a number
-->   remedy: write a number there
