-- robot: ../../../robots/gen3.urdf
return { tips = { "base_link" } }
