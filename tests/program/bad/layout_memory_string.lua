-- robot: ../../../robots/gen3.urdf
local s = "x"
while true do s = s .. s end
