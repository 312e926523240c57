-- robot: ../../../../robots/gen3.urdf
return { name = 7 }
--> layout_name_number.lua:2: error: "name" is a number, not a name
-->   remedy: write a name there
