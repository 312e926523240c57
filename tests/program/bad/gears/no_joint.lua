-- robot: ../../../../robots/gen3.urdf
return { transmissions = { { motor = "a", ratio = 2 } } }
--> no_joint.lua:2: error: "transmissions[1]" has no joint
-->   remedy: write { motor = "m1", joint = "joint_1", ratio = 100 }
