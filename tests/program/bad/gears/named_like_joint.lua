-- robot: ../../../../robots/gen3.urdf
return { transmissions = { { motor = "joint_2", joint = "joint_1", ratio = 2 } } }
--> named_like_joint.lua:2: error: motor "joint_2" has the name of the motor of joint "joint_2", which no transmission moves
-->   remedy: give it another name
