-- robot: ../../../../robots/gen3.urdf
local s = string.rep("x", 1e15)
return { name = s }
--> layout_repeat_bomb.lua:2: error: Lua: resulting string too large
-->   remedy: correct the Lua there; a layout may use math, string and table
