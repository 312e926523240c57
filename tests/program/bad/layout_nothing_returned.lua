-- robot: ../../../robots/gen3.urdf
local layout = { groups = {} }
