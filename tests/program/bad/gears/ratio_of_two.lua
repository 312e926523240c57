-- robot: ../../../../robots/gen3.urdf
return { transmissions = { { motors = { "a", "b" }, joints = { "joint_1", "joint_2" }, ratio = 2 } } }
--> ratio_of_two.lua:2: error: "ratio" is for one motor and one joint
-->   remedy: write matrix = { .. }: a row a motor
