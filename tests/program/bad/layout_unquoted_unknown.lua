-- robot: ../../../robots/gen3.urdf
return { name = zebra }
