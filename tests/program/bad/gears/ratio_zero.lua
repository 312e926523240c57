-- robot: ../../../../robots/gen3.urdf
return { transmissions = { { motor = "m", joint = "joint_1", ratio = 0 } } }
--> ratio_zero.lua:2: error: "transmissions[1].ratio" is 0
-->   remedy: give turns of the motor per turn of the joint
