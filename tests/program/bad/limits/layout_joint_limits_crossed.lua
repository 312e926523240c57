-- robot: ../../../../robots/arm1dof.urdf
return { joint_limits = { joint1 = { lower = 1, upper = -1 } } }
--> layout_joint_limits_crossed.lua:2: error: the lower limit of joint "joint1" is above its upper limit
-->   remedy: write the smaller one as lower
