-- robot: ../../../../robots/gen3.urdf
local s = string.rep("", math.maxinteger)
return { name = s }
--> layout_repeat_nothing.lua:3: error: "" is not a C identifier
-->   remedy: use letters, digits and _, no digit first
