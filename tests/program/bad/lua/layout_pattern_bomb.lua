-- robot: ../../../../robots/gen3.urdf
local s = ("a"):rep(1000)
return { name = s:match(("a-"):rep(50) .. "b") }
--> layout_pattern_bomb.lua:3: error: Lua: string.match is left out of layouts: patterns can run for ever
-->   remedy: correct the Lua there; a layout may use math, string and table
