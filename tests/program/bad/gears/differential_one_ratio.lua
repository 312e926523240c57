-- robot: ../../../../robots/gen3.urdf
return {
  transmissions = { { motors = { "a", "b" }, joints = { "joint_1", "joint_2" },
    differential = { motors = { 5 } } } } }
--> differential_one_ratio.lua:4: error: "transmissions[1].differential.motors" has 1 ratios
-->   remedy: write two: { 50, 50 }
