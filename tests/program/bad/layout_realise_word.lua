-- robot: ../../../robots/gen3.urdf
return { realise = "motor" }
