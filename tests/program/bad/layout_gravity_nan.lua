-- robot: ../../../robots/gen3.urdf
return { gravity = { 0, 0 / 0, 1 } }
