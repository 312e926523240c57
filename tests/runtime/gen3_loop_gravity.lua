-- gen3_controlled.lua with gravity as a constant.
local layout = include("gen3_controlled.lua")
layout.gravity = { 0, 0, -9.81 }
return layout
