-- robot: ../../../robots/gen3.urdf
local t = {} -- a list that Lua takes for one of 2^62 values
for k = 62, 0, -1 do t[1 << k] = true end
table.insert(t, 1, false)
return {}
