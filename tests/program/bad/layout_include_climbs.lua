-- robot: ../../../robots/gen3.urdf
return { armature = include "include/../../lib.sh" }
