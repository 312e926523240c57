-- robot: ../../../../robots/gen3.urdf
return { armature = include "include/armature.lua" }
--> include/armature.lua:4: error: the robot has no moving joint "joint_8"
-->   remedy: did you mean "joint_1", "joint_2" or "joint_3"?
