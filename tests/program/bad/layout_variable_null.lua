-- robot: ../../../robots/gen3.urdf
return { name = null }
