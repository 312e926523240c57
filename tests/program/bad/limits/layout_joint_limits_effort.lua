-- robot: ../../../../robots/arm1dof.urdf
return { joint_limits = { joint1 = { effort = 0 } } }
--> layout_joint_limits_effort.lua:2: error: the effort limit of joint "joint1" is not positive
-->   remedy: give the largest one, or false for none
