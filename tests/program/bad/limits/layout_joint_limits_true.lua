-- robot: ../../../../robots/arm1dof.urdf
return { joint_limits = { joint1 = { lower = true } } }
--> layout_joint_limits_true.lua:2: error: "joint_limits.joint1.lower" is true or false, not a number, or false for none
-->   remedy: write a number, or false for none there
