-- robot: ../../../../robots/gen3.urdf
helper = include "include/helper.lua"
return { armature = helper.all(-1) }
--> include/helper.lua:4: error: Lua: negative
-->   remedy: correct the Lua there; a layout may use math, string and table
