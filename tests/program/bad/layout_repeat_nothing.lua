-- robot: ../../../robots/gen3.urdf
local s = string.rep("", math.maxinteger)
return { name = s }
