-- robot: ../../../../robots/gen3.urdf
local x

assert(x)
return {}
--> layout_assert_fails.lua:4: error: Lua: assertion failed!
-->   remedy: correct the Lua there; a layout may use math, string and table
