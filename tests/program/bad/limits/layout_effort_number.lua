-- robot: ../../../../robots/gen3.urdf
return { effort = 55 }
--> layout_effort_number.lua:2: error: "effort" is a number, not a table of joints and numbers: { joint_1 = 0.5 }
-->   remedy: write a table of joints and numbers: { joint_1 = 0.5 } there
