-- robot: ../../../robots/gen3.urdf
local function f(n)
  return 1 + f(n + 1)
end
return { gravity = { 0, 0, f(1) } }
