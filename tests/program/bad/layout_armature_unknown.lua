-- robot: ../../../robots/gen3.urdf
return { armature = { joint = 0.5 } }
