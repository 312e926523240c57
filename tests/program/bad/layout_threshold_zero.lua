-- robot: ../../../robots/gen3.urdf
return { singular_threshold = 0 }
