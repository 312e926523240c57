-- robot: ../../../robots/gen3.urdf
return { [true] = 1, [false] = 2 }
