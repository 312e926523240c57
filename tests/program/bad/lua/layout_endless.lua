-- robot: ../../../../robots/gen3.urdf
local n = 0
while true do
  n = n + 1
end
--> layout_endless.lua:4: error: the layout needs more than 20 million instructions
-->   remedy: a layout is a short description: return a table
