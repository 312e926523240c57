-- robot: ../../../robots/gen3.urdf

error("stop here", 0)
