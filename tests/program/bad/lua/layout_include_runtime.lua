-- robot: ../../../../robots/gen3.urdf
return { armature = include "include/runtime.lua" }
--> include/runtime.lua:3: error: Lua: attempt to perform arithmetic on a nil value (local 'kilograms')
-->   remedy: correct the Lua there; a layout may use math, string and table
