-- robot: ../../../../robots/gen3.urdf
return { locked = { "joint_1" } }
--> layout_locked_list.lua:2: error: there is a value without a joint in "locked"
-->   remedy: name its joint: locked = { joint_1 = 0.5 }
