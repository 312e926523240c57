-- robot: ../../../robots/gen3.urdf
return { locked = { joint_1 = math.PI / 2 } }
