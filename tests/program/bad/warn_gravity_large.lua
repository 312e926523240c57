-- robot: ../../../robots/gen3.urdf
return include "include/heavy.lua"
