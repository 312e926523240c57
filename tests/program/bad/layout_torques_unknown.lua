-- robot: ../../../robots/gen3.urdf
return { torques = { phyiscal = true } }
