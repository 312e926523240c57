-- robot: ../../../../robots/gen3.urdf
return include "include/syntax.lua"
--> include/syntax.lua:2: error: Lua: '}' expected near 'frame'
-->   remedy: look at the end of the line before, too: entries of a table are separated by commas
