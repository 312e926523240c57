-- robot: ../../../../robots/gen3.urdf
return { transmissions = { { motor = "m", joint = "joint_1", ratio = 2, matrix = { { 2 } } } } }
--> two_ratios.lua:2: error: "transmissions[1]" has ratio and matrix
-->   remedy: give one of ratio = 100, differential = { motors = { 50, 50 } } and matrix = { { 50, 0 }, { 50, 50 } }
