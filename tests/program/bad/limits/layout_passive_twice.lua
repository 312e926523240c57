-- robot: ../../../../robots/gen3.urdf
return { passive = { "joint_1", "joint_2", "joint_1" } }
--> layout_passive_twice.lua:2: error: "joint_1" is listed twice in "passive"
-->   remedy: leave one out
