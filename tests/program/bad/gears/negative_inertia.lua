-- robot: ../../../../robots/gen3.urdf
return { motors = { joint_1 = { inertia = -1 } } }
--> negative_inertia.lua:2: error: the rotor's inertia of motor "joint_1" is negative
-->   remedy: give a number of zero or more
