-- robot: ../../../../robots/gen3.urdf
return include "include/memory.lua"
--> include/memory.lua:2: error: the layout needs more than 64 MB of memory, or 1 MB for one text
-->   remedy: a layout is a short description: return a table
