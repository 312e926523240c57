-- robot: ../../../robots/gen3.urdf
return include "layout_include_itself.lua"
