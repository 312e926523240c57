-- robot: ../../../../robots/gen3.urdf
return load("return {}")()
--> layout_load.lua:2: error: "load" of Lua is left out of layouts
-->   remedy: a layout may use math, string, table, pairs, ipairs and include
