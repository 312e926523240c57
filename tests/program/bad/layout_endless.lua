-- robot: ../../../robots/gen3.urdf
local n = 0
while true do
  n = n + 1
end
