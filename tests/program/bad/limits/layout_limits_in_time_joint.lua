-- robot: ../../../../robots/gen3.urdf
return {
  limits = { acceleration = { joint_1 = 5 }, period = 1e-3, joints = { "joint_2" } },
}
--> layout_limits_in_time_joint.lua:3: error: joint "joint_1" is not one of "limits.joints"
-->   remedy: name it there, or leave it out
