-- robot: ../../../../robots/gen3.urdf
return { armature = include { "arm.lua" } }
--> layout_include_no_name.lua:2: error: include takes the name of a file
-->   remedy: write include "arm.lua"
