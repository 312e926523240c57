-- robot: ../../../robots/gen3.urdf
return { armature = include "../layout_tie.lua" }
