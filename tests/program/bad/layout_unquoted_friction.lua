-- robot: ../../../robots/gen3.urdf
return { friction = urdf }
