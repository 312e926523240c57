-- robot: ../../../../robots/arm1dof.urdf
return { joint_limits = { joint1 = { low = -1 } } }
--> layout_joint_limits_word.lua:2: error: unknown word "low" in "joint_limits.joint1"
-->   remedy: did you mean "lower"?
