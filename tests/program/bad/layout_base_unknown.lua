-- robot: ../../../robots/gen3.urdf
return { base = "float" }
