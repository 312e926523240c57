-- robot: ../../../../robots/gen3.urdf
local s = "x"
while true do s = s .. s end
--> layout_memory_string.lua:3: error: the layout needs more than 64 MB of memory, or 1 MB for one text
-->   remedy: a layout is a short description: return a table
