-- robot: ../../../../robots/gen3.urdf
setmetatable({}, { __gc = function() while true do end end })
return {}
--> layout_metatable.lua:2: error: "setmetatable" of Lua is left out of layouts
-->   remedy: a layout may use math, string, table, pairs, ipairs and include
