-- robot: ../../../robots/gen3.urdf
return include "include/syntax.lua"
