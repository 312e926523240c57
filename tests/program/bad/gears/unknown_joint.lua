-- robot: ../../../../robots/gen3.urdf
return { transmissions = { { motor = "a", joint = "joint_9", ratio = 2 } } }
--> unknown_joint.lua:2: error: the robot has no moving joint "joint_9"
-->   remedy: did you mean "joint_1", "joint_2" or "joint_3"?
