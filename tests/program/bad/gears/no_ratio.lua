-- robot: ../../../../robots/gen3.urdf
return { transmissions = { { motor = "m", joint = "joint_1" } } }
--> no_ratio.lua:2: error: "transmissions[1]" has no ratio
-->   remedy: give one of ratio = 100, differential = { motors = { 50, 50 } } and matrix = { { 50, 0 }, { 50, 50 } }
