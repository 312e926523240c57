-- robot: ../../../../robots/gen3.urdf
return { armature = include "../layout_tie.lua" }
--> layout_include_outside.lua:2: error: "../layout_tie.lua" is not in the layout's folder
-->   remedy: name a file in the layout's folder or below it: include "arm.lua"
