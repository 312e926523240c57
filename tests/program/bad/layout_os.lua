-- robot: ../../../robots/gen3.urdf
local date = os.date()
return { name = date }
