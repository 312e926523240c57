-- robot: ../../../../robots/gen3.urdf
return include "include/one.lua"
--> include/two.lua:3: error: include/one.lua includes itself, directly or through others
-->   remedy: take one include out of the circle
