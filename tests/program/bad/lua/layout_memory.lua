-- robot: ../../../../robots/gen3.urdf
local t = {}
for k = 1, 1e9 do
  t[k] = { k }
end
return t
--> layout_memory.lua:4: error: the layout needs more than 64 MB of memory, or 1 MB for one text
-->   remedy: a layout is a short description: return a table
