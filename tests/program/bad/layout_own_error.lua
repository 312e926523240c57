-- robot: ../../../robots/gen3.urdf
local function need(x)
  if not x then error("the mass is missing") end
end
need(nil)
return {}
