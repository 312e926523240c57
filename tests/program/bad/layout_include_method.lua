-- robot: ../../../robots/gen3.urdf
helper = include "include/helper.lua"
return { armature = helper.all(-1) }
