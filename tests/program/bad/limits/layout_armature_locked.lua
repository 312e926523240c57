-- robot: ../../../../robots/gen3.urdf
return { locked = { joint_1 = 0 }, armature = { joint_1 = 0.5 } }
--> layout_armature_locked.lua:2: error: joint "joint_1" of "armature" does not move in this layout
-->   remedy: leave it out, or select it
