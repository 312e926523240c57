-- robot: ../../../robots/gen3.urdf
return { [{}] = 1, [{}] = 2, [function() end] = 3 }
