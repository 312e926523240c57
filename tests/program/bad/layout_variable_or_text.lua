-- robot: ../../../robots/gen3.urdf
local matrices = {}
return { orientation = matrics }
