-- robot: ../../../../robots/gen3.urdf
return include "include/arm.lua"
--> include/arm.lua:2: error: unknown word "task"
-->   remedy: did you mean "base"?
