-- robot: ../../../robots/gen3.urdf
local n = 7
return n
