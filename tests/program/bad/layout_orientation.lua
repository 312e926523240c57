-- robot: ../../../robots/gen3.urdf
return { orientation = "euler" }
