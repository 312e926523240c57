-- robot: ../../../robots/gen3.urdf
return { effort = 55 }
