-- robot: ../../../../robots/gen3.urdf
return { transmissions = { { motor = "left", joint = "joint_1", ratio = 2 } }, motors = { lift = { inertia = 1 } } }
--> unknown_motor.lua:2: error: there is no motor "lift"
-->   remedy: did you mean "left"?
