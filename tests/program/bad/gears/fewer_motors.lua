-- robot: ../../../../robots/gen3.urdf
return { transmissions = { { motors = { "a" }, joints = { "joint_1", "joint_2" }, matrix = { { 1, 2 } } } } }
--> fewer_motors.lua:2: error: its motors move only 1 of its joints apart from each other: joint "joint_2" depends on the others
-->   remedy: name a motor for each freedom, or let joints mimic each other
