-- robot: ../../../robots/gen3.urdf
return { tips = false }
