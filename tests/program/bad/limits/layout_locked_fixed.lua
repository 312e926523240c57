-- robot: ../../../../robots/arm1dof.urdf
return { locked = { tip_joint = 0 } }
--> layout_locked_fixed.lua:2: error: joint "tip_joint" is fixed
-->   remedy: name a joint that moves, or leave it out
