-- robot: ../../../../robots/gen3.urdf
return {
  transmissions = { { motor = "a", joint = "joint_1", ratio = 2 },
    { motor = "A", joint = "joint_2", ratio = 2 } } }
--> same_letters.lua:4: error: motors "a" and "A" both become A
-->   remedy: rename one of them
