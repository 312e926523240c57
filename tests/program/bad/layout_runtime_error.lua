-- robot: ../../../robots/gen3.urdf
local masses = {}
local function total() return masses.hand.kg + 1 end

return { gravity = { 0, 0, total() } }
