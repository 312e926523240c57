-- robot: ../../../../robots/gen3.urdf
return { armature = include "include/unread.lua" }
--> include/unread.lua:2: error: the variable joint_1 is given a value that nothing reads
-->   remedy: write joint_1 = ... within return { ... }, or leave it out
