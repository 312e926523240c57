-- robot: ../../../robots/gen3.urdf
return { groups = 6 }
