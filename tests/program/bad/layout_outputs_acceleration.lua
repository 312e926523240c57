-- robot: ../../../robots/gen3.urdf
return { outputs = { "qdd", "acceleration" } }
