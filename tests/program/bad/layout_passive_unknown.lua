-- robot: ../../../robots/gen3.urdf
return { passive = { "joint1" } }
