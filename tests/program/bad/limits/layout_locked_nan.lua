-- robot: ../../../../robots/gen3.urdf
return { locked = { joint_1 = 0 / 0 } }
--> layout_locked_nan.lua:2: error: "locked.joint_1" is not finite
-->   remedy: write a finite number there
