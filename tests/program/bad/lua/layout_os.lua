-- robot: ../../../../robots/gen3.urdf
local date = os.date()
return { name = date }
--> layout_os.lua:2: error: "os" of Lua is left out of layouts
-->   remedy: a layout may use math, string, table, pairs, ipairs and include
