-- robot: ../../../../robots/gen3.urdf
return { transmissions = { { motors = { "a", "b" }, joints = { "joint_1", "joint_2" }, matrix = { { 1, 2 } } } } }
--> rows.lua:2: error: "transmissions[1].matrix" has 1 rows for 2 motors
-->   remedy: write a row a motor, with a number a joint
