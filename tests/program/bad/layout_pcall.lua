-- robot: ../../../robots/gen3.urdf
pcall(error)
return {}
