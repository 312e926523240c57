-- robot: ../../../../robots/gen3.urdf
return {
  transmissions = { { motors = { "a", "b" }, joints = { "joint_1", "joint_2" },
    matrix = { { 1, 2 }, { 1 } } } } }
--> columns.lua:4: error: "transmissions[1].matrix[2]" has 1 numbers
-->   remedy: write a number a joint: 2
