-- robot: ../../../../robots/gen3.urdf
return { motors = { joint_1 = { coulomb = 1 } } }
--> coulomb.lua:2: error: unknown word "coulomb" in "motors.joint_1"
-->   remedy: there is "inertia", "viscous", "effort", "velocity"
