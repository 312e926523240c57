-- robot: ../../../robots/gen3.urdf
return include "include/unquoted.lua"
