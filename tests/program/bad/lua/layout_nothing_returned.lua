-- robot: ../../../../robots/gen3.urdf
local layout = { groups = {} }
--> layout_nothing_returned.lua:1: error: the layout returns nothing, not a table
-->   remedy: end it with: return { ... }
