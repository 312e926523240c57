-- robot: ../../../../robots/gen3.urdf
return { locked = { joint_2 = 1e6 } }
--> layout_locked_far.lua:2: error: joint "joint_2" is locked at 1000000.0
-->   remedy: write its position in rad or m
