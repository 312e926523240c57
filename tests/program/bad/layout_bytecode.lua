Lua
-- robot: ../../../robots/gen3.urdf
return {}
