-- robot: ../../../../robots/gen3.urdf
return { locked = { joint_1 = 0 }, passive = { "joint_1" } }
--> layout_passive_locked.lua:2: error: joint "joint_1" does not move in this layout
-->   remedy: leave it out
