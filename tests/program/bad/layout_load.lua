-- robot: ../../../robots/gen3.urdf
return load("return {}")()
