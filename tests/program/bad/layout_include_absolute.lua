-- robot: ../../../robots/gen3.urdf
return { armature = include "/etc/passwd" }
