-- robot: ../../../../robots/gen3.urdf
return include "include/endless.lua"
--> include/endless.lua:1: error: the layout needs more than 20 million instructions
-->   remedy: a layout is a short description: return a table
