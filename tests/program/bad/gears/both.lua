-- robot: ../../../../robots/gen3.urdf
return { transmissions = { { motor = "a", motors = { "b" }, joint = "joint_1", ratio = 2 } } }
--> both.lua:2: error: "transmissions[1]" has motor and motors
-->   remedy: leave one out
