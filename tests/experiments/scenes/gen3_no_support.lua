-- The same without the support.
local scene = include "gen3_elbow.lua"
scene.objects = nil
return scene
