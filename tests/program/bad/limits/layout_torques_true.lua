-- robot: ../../../../robots/gen3.urdf
return { torques = true }
--> layout_torques_true.lua:2: error: "torques" is true or false, not a table: { physical = true, artificial = true }
-->   remedy: write a table: { physical = true, artificial = true } there
