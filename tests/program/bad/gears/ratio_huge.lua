-- robot: ../../../../robots/gen3.urdf
return { transmissions = { { motor = "m", joint = "joint_1", ratio = 1e9 } } }
--> ratio_huge.lua:2: error: "transmissions[1].ratio" is 1e+09, which is no ratio of a gear
-->   remedy: give turns of the motor per turn of the joint: from 1e-06 to 1e+06 in size
