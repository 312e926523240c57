-- robot: ../../../../robots/gen3.urdf
local t = {} -- a list that Lua takes for one of 2^62 values
for k = 62, 0, -1 do t[1 << k] = true end
table.insert(t, 1, false)
return {}
--> layout_insert_bomb.lua:4: error: the layout needs more than 20 million instructions
-->   remedy: a layout is a short description: return a table
