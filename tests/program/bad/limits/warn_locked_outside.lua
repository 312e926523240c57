-- robot: ../../../../robots/gen3.urdf
return { locked = { joint_4 = -130 }, groups = {} }
--> ../../../../robots/gen3.urdf:66: warning: joint "joint_4" is locked at -130 rad, outside its limits -2.57 to 2.57
