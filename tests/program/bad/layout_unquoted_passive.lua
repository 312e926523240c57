-- robot: ../../../robots/gen3.urdf
return { passive = { joint_7 } }
