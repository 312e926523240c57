-- robot: ../../../../robots/gen3.urdf
return { gravity = "down" }
--> layout_gravity_word.lua:2: error: "gravity" is text, not a list of three numbers, or "input"
-->   remedy: write a list of three numbers, or "input" there
