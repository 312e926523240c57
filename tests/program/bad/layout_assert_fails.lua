-- robot: ../../../robots/gen3.urdf
local x

assert(x)
return {}
