-- robot: ../../../../robots/gen3.urdf
local function f(n)
  return 1 + f(n + 1)
end
return { gravity = { 0, 0, f(1) } }
--> layout_recursion.lua:3: error: Lua: stack overflow
-->   remedy: correct the Lua there; a layout may use math, string and table
