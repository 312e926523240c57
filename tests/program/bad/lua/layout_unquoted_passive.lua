-- robot: ../../../../robots/gen3.urdf
return { passive = { joint_7 } }
--> layout_unquoted_passive.lua:2: error: joint_7 is not defined: a word without quotes is the name of a variable
-->   remedy: text stands in quotes: write "joint_7"
