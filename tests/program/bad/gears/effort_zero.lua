-- robot: ../../../../robots/gen3.urdf
return { motors = { joint_1 = { effort = 0 } } }
--> effort_zero.lua:2: error: the effort limit of motor "joint_1" is not positive
-->   remedy: give a number above zero
