-- robot: fine_arm.urdf
return { joint_limits = { shoulder_x = { lower = -1, upper = 1 } } }
--> axis_limited.lua:2: error: joint "shoulder_x" is one axis of the ball joint "shoulder", which has no position of its own to limit
-->   remedy: leave it out
