-- robot: ../../../../robots/gen3.urdf
return { armature = include "/etc/passwd" }
--> layout_include_absolute.lua:2: error: "/etc/passwd" is not in the layout's folder
-->   remedy: name a file in the layout's folder or below it: include "arm.lua"
