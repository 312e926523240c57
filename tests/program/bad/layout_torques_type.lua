-- robot: ../../../robots/gen3.urdf
return { torques = { physical = 1 } }
