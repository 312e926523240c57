-- robot: ../../../../robots/gen3.urdf
local n = 7
return n
--> layout_number_returned.lua:3: error: the layout returns a number, not a table
-->   remedy: end it with: return { ... }
