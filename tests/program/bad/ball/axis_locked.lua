-- robot: fine_arm.urdf
return { locked = { shoulder_y = 1 } }
--> axis_locked.lua:2: error: joint "shoulder_y" is one axis of the ball joint "shoulder", which cannot be locked
-->   remedy: make the joint fixed in the robot's file
