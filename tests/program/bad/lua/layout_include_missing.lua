-- robot: ../../../../robots/gen3.urdf
return { armature = include "include/amrature.lua" }
--> layout_include_missing.lua:2: error: include/amrature.lua cannot be read: No such file or directory
-->   remedy: check the name and the permissions
