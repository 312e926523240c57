-- robot: ../../../../robots/gen3.urdf
return { armature = "output" }
--> layout_armature_word.lua:2: error: "armature" is text, not a table of joints and numbers: { joint_1 = 0.5 }
-->   remedy: write a table of joints and numbers: { joint_1 = 0.5 } there
