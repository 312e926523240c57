-- robot: ../../../../robots/gen3.urdf
return {
  transmissions = { { motors = { "a", "b" }, joints = { "joint_1", "joint_2" },
    matrix = { { 1, 2 }, { 0, 0 } } } } }
--> row_of_zeros.lua:4: error: motor "b" moves with no joint
-->   remedy: leave the motor out, or give it a ratio
