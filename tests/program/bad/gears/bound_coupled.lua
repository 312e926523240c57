-- robot: ../../../../robots/gen3.urdf
return { gravity = { 0, 0, -9.81 }, outputs = { "qdd", "bound" }, motors = { a = { inertia = 1 } },
  transmissions = { { motors = { "a", "b" }, joints = { "joint_1", "joint_2" },
    differential = {} } } }
--> bound_coupled.lua:2: error: "bound" cannot be used with transmissions whose rotors couple joints
-->   remedy: leave one of them out
