-- robot: ../../../../robots/gen3.urdf
return { effort = { joint_3 = -1, joint_1 = 0, joint_2 = 0 } }
--> layout_effort_zero.lua:2: error: the effort limit of joint "joint_1" is not positive
-->   remedy: give the joint's largest torque or force, or leave it out for none
