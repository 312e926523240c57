-- robot: ../../../robots/gen3.urdf
return { gravity = { 0, 0, math.exp(1) } }
