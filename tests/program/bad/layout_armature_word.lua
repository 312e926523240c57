-- robot: ../../../robots/gen3.urdf
return { armature = "output" }
