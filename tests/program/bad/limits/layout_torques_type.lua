-- robot: ../../../../robots/gen3.urdf
return { torques = { physical = 1 } }
--> layout_torques_type.lua:2: error: "torques.physical" is a number, not true or false
-->   remedy: write true or false there
