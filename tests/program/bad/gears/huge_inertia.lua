-- robot: ../../../../robots/gen3.urdf
return { motors = { joint_1 = { inertia = 1e300 } } }
--> huge_inertia.lua:2: error: the rotor's inertia of motor "joint_1" is larger than 1e15
-->   remedy: give it at the motor's side in kg m^2 (kg where it slides)
