-- robot: ../../../../robots/gen3.urdf
passive = { "joint_7" }
return { armature = { joint_7 = 0.1 } }
--> layout_variable_unread.lua:2: error: the variable passive is given a value that nothing reads
-->   remedy: write passive = ... within return { ... }, or leave it out
