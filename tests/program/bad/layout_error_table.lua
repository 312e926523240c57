-- robot: ../../../robots/gen3.urdf
error({ code = 1 })
