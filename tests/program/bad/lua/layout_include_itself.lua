-- robot: ../../../../robots/gen3.urdf
return include "layout_include_itself.lua"
--> layout_include_itself.lua:2: error: layout_include_itself.lua includes itself, directly or through others
-->   remedy: take one include out of the circle
