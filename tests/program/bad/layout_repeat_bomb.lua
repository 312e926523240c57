-- robot: ../../../robots/gen3.urdf
local s = string.rep("x", 1e15)
return { name = s }
