-- robot: ../../../robots/gen3.urdf
return { singularity = "dampen" }
