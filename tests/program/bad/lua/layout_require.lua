-- robot: ../../../../robots/gen3.urdf
local layout = require "layout"
return {}
--> layout_require.lua:2: error: "require" of Lua is left out of layouts
-->   remedy: a layout may use math, string, table, pairs, ipairs and include
