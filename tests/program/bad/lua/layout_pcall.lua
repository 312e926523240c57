-- robot: ../../../../robots/gen3.urdf
pcall(error)
return {}
--> layout_pcall.lua:2: error: "pcall" of Lua is left out of layouts
-->   remedy: a layout may use math, string, table, pairs, ipairs and include
