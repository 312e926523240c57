-- robot: ../../../../robots/gen3.urdf
local function need(x)
  if not x then error("the mass is missing") end
end
need(nil)
return {}
--> layout_own_error.lua:3: error: Lua: the mass is missing
-->   remedy: correct the Lua there; a layout may use math, string and table
