-- robot: ../../../../robots/gen3.urdf
return { armature = include "include/../../lib.sh" }
--> layout_include_climbs.lua:2: error: "include/../../lib.sh" is not in the layout's folder
-->   remedy: name a file in the layout's folder or below it: include "arm.lua"
