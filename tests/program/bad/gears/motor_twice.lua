-- robot: ../../../../robots/gen3.urdf
return {
  transmissions = { { motor = "a", joint = "joint_1", ratio = 2 },
    { motor = "a", joint = "joint_2", ratio = 2 } } }
--> motor_twice.lua:4: error: motor "a" is in two transmissions
-->   remedy: give each motor a name
