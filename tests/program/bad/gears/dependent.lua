-- robot: ../../../../robots/gen3.urdf
return {
  transmissions = { { motors = { "a", "b" }, joints = { "joint_1", "joint_2" },
    matrix = { { 1, 2 }, { 2, 4 } } } } }
--> dependent.lua:3: error: its motors move only 1 of its joints apart from each other: joint "joint_2" depends on the others
-->   remedy: name a motor for each freedom, or let joints mimic each other
