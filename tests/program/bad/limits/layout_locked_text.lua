-- robot: ../../../../robots/gen3.urdf
return { locked = { joint_1 = "0" } }
--> layout_locked_text.lua:2: error: "locked.joint_1" is text, not a number
-->   remedy: write a number there
