-- robot: ../../../../robots/gen3.urdf
return { transmissions = { { motors = { "a", "b", "c" }, joints = { "joint_1", "joint_2" }, differential = {} } } }
--> differential_of_three.lua:2: error: a differential has two motors and two joints, and here are 3 and 2
-->   remedy: name two of each, or write matrix = { .. }
