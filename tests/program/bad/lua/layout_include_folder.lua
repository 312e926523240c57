-- robot: ../../../../robots/gen3.urdf
return { armature = include "include" }
--> layout_include_folder.lua:2: error: include is not a regular file
-->   remedy: name a text file
