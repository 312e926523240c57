-- The same without the table.
local scene = include "gen3_side.lua"
scene.objects = nil
return scene
