-- robot: ../../../../robots/gen3.urdf
return include "include/bytecode.lua"
--> include/bytecode.lua: error: the layout is Lua bytecode, which is not read
-->   remedy: give the layout as text: Lua that returns a table
