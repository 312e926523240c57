-- robot: ../../../../robots/arm1dof.urdf
return { joint_limits = { joint9 = { lower = -1 } } }
--> layout_joint_limits_joint.lua:2: error: the robot has no moving joint "joint9"
-->   remedy: did you mean "joint1"?
