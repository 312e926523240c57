-- robot: ../../../../robots/gen3.urdf
return { armature = { joint = 0.5 } }
--> layout_armature_unknown.lua:2: error: the robot has no moving joint "joint"
-->   remedy: did you mean "joint_1", "joint_2" or "joint_3"?
