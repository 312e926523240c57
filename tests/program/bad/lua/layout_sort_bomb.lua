-- robot: ../../../../robots/gen3.urdf
local t = {}
for k = 1, 500000 do t[k] = k end
for _ = 1, 1000 do table.sort(t, function(a, b) return a > b end) end
return {}
--> layout_sort_bomb.lua:4: error: the layout needs more than 20 million instructions
-->   remedy: a layout is a short description: return a table
