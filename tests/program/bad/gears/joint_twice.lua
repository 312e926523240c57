-- robot: ../../../../robots/gen3.urdf
return {
  transmissions = { { motor = "a", joint = "joint_1", ratio = 2 },
    { motor = "b", joint = "joint_1", ratio = 2 } } }
--> joint_twice.lua:4: error: joint "joint_1" is in two transmissions
-->   remedy: make one of them: motors = { .. }, joints = { .. }, matrix = { .. }
