-- robot: ../../../../robots/gen3.urdf
local masses = {}
local function total() return masses.hand.kg + 1 end

return { gravity = { 0, 0, total() } }
--> layout_runtime_error.lua:3: error: Lua: attempt to index a nil value (field 'hand')
-->   remedy: correct the Lua there; a layout may use math, string and table
