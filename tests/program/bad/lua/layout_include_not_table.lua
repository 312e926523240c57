-- robot: ../../../../robots/gen3.urdf
return { armature = include "include/number.lua" }
--> layout_include_not_table.lua:2: error: "armature" is a number, not a table of joints and numbers: { joint_1 = 0.5 }
-->   remedy: write a table of joints and numbers: { joint_1 = 0.5 } there
