-- robot: ../../../../robots/gen3.urdf
return { locked = { joint_1 = 0 }, transmissions = { { motor = "a", joint = "joint_1", ratio = 2 } } }
--> locked.lua:2: error: joint "joint_1" does not move in this layout
-->   remedy: leave it out
