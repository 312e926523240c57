-- robot: ../../../../robots/gen3.urdf
return { passive = { "joint1" } }
--> layout_passive_unknown.lua:2: error: the robot has no moving joint "joint1"
-->   remedy: did you mean "joint_1", "joint_2" or "joint_3"?
