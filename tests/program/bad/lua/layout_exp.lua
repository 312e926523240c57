-- robot: ../../../../robots/gen3.urdf
return { gravity = { 0, 0, math.exp(1) } }
--> layout_exp.lua:2: error: Lua: math.exp is left out of layouts: its last digit differs between machines
-->   remedy: correct the Lua there; a layout may use math, string and table
