-- robot: ../../../robots/gen3.urdf
return { armature = include "include/unread.lua" }
